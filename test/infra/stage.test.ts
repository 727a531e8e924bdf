import { describe, expect, it } from 'vitest';
import { checkStage, type Stage, StageError } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { stageNamed } from '../support/synthesized.ts';

const staging = stageNamed('staging');

describe('a stage’s record', () => {
  it.each(stages)('is accepted for $name', (stage) => {
    expect(checkStage(stage)).toBe(stage);
  });

  const certificateArn =
    'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
  const tokens = (changes: object): object => ({ tokens: { ...staging.tokens, ...changes } });
  const wrong: readonly (readonly [rule: RegExp, change: object])[] = [
    [/tokens\.issuer .*https/, tokens({ issuer: 'http://login.example.com' })],
    [/tokens\.issuer .*https/, tokens({ issuer: 'login.example.com' })],
    [/tokens\.issuer .*https/, tokens({ issuer: 'http://127.0.0.1:9000' })],
    [/tokens\.jwksUri .*https/, tokens({ jwksUri: 'http://login.example.com/keys' })],
    [/tokens\.audience .*empty/, tokens({ audience: '' })],
    [/tokens\.algorithms .*at least one/, tokens({ algorithms: [] })],
    [/tokens\.algorithms\.0 .*RS256, ES256 or EdDSA/, tokens({ algorithms: ['HS256'] })],
    [/tokens\.groupsClaim .*empty/, tokens({ groupsClaim: '' })],
    [/tokens\.requiredScope .*one scope/, tokens({ requiredScope: '' })],
    [/tokens\.requiredScope .*one scope/, tokens({ requiredScope: 'plants:read openid' })],
    [/tokens\.requiredScope .*one scope/, tokens({ requiredScope: 'plants"read' })],
    [/tokens\.profile .*rfc9068, oidc, cognito or own-user-pool/, tokens({ profile: 'saml' })],
    [/tokens\.clientIds .*at least one/, tokens({ profile: 'cognito', clientIds: [], audience: undefined })],
    [/authorizerCacheSeconds .*at most 3600.*seconds/, { authorizerCacheSeconds: 3601 }],
    [/authorizerCacheSeconds .*at least 0.*seconds/, { authorizerCacheSeconds: -1 }],
    [/authorizerCacheSeconds .*whole number/, { authorizerCacheSeconds: 1.5 }],
    [/listPlants\.memoryMb .*at least 128.*MB/, { listPlants: { memoryMb: 127 } }],
    [/authorizer\.memoryMb .*at most 10240.*MB/, { authorizer: { memoryMb: 10_241 } }],
    [/logRetentionDays .*RetentionDays/, { logRetentionDays: 4 }],
    [/logRetentionDays .*infinite/, { logRetentionDays: 9999 }],
    [/throttle\.rateLimit .*at least 1.*requests per second/, { throttle: { rateLimit: 0, burstLimit: 1 } }],
    [/corsOrigins\.0 .*https:\/\/plants\.example\.com/, { corsOrigins: ['*'] }],
    [/corsOrigins\.0 .*https:\/\/plants\.example\.com/, { corsOrigins: ['https://a.b/c'] }],
    [
      /domain\.name .*plants\.example\.com/,
      { domain: { name: 'https://plants.example.com', certificateArn } },
    ],
    [
      /domain\.certificateArn .*ARN/,
      { domain: { name: 'plants.example.com', certificateArn: 'plants.pem' } },
    ],
    [/domain\.name .*lower case/, { domain: { name: 'Plants.example.com', certificateArn } }],
    [/account .*12 digits/, { account: '1234' }],
    [/region .*eu-central-1/, { region: 'Frankfurt' }],
    [/name .*local, dev, staging or prod/, { name: 'test' }],
    [/bootstrapQualifier .*1 to 10 lower case/, { bootstrapQualifier: 'PS-staging' }],
    [/release .*canary or at-once/, { release: 'soon' }],
    [/alarmEmails\.0 .*e-mail/, { alarmEmails: ['oncall'] }],
    [/alarmEmails .*repeat/, { alarmEmails: ['oncall@example.com', 'oncall@example.com'] }],
    [/alarmEmails .*canary.*empty/, { alarmEmails: undefined }],
    [/alarmEmails .*at most 10/, { alarmEmails: Array.from({ length: 11 }, () => 'oncall@example.com') }],
    [/monthlyBudgetDollars .*more than 0.*US dollars/, { monthlyBudgetDollars: 0 }],
    [/data .*disposable or protected/, { data: 'kept' }],
    [/architecture .*arm64 or x86_64/, { architecture: 'arm' }],
  ];
  it.each(wrong)('is refused with a message like %s', (rule, change) => {
    const record: Stage = Object.assign({ ...staging }, change);
    expect(() => checkStage(record)).toThrow(StageError);
    expect(() => checkStage(record)).toThrow(/^Stage "(?:staging|test)": [^\n]*infra\/stages\.ts\.$/);
    expect(() => checkStage(record)).toThrow(rule);
  });

  it.each([
    ['plants.example.com', 'aws'],
    ['example.com', 'aws-us-gov'],
    ['*.plants.example.com', 'aws'],
    ['plants.example.cn', 'aws-cn'],
    ['xn--pflnzchen-v2a.xn--p1ai', 'aws'],
    ['plants.example.gov', 'aws-iso-b'],
  ])('may have any domain that the gateway can serve, in any partition: %s in %s', (name, partition) => {
    const domain = { name, certificateArn: certificateArn.replace('arn:aws:', `arn:${partition}:`) };
    expect(() => checkStage({ ...staging, domain })).not.toThrow();
  });

  it.each(['eu-central-1', 'cn-northwest-1', 'us-gov-west-1', 'us-iso-east-1', 'eusc-de-east-1'])(
    'may name its account and the Region %s',
    (region) => {
      expect(() => checkStage({ ...staging, account: '123456789012', region })).not.toThrow();
    },
  );

  it('may have a plain http issuer only for local, and only on this machine', () => {
    const local = stageNamed('local');
    const plain: Stage['tokens'] = {
      profile: 'rfc9068',
      audience: 'plant-store',
      algorithms: ['RS256'],
      groupsClaim: 'groups',
      jwksUri: 'http://127.0.0.1:9000/keys',
      issuer: 'http://10.0.0.1:9000',
    };
    expect(() => checkStage({ ...local, tokens: plain })).toThrow(/"local": tokens\.issuer .*https/);
    expect(() =>
      checkStage({ ...local, tokens: { ...plain, issuer: 'http://localhost:9000' } }),
    ).not.toThrow();
  });

  it('with an unknown field is refused', () => {
    const record: Stage = Object.assign({ ...staging }, { memory: 128 });
    expect(() => checkStage(record)).toThrow(/^Stage "staging": .*memory/);
  });
});
