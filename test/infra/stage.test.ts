import { describe, expect, it } from 'vitest';
import { checkStage, personalStage, type Stage, StageError } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { stageNamed } from '../support/synthesized.ts';

const staging = stageNamed('staging');
const certificateArn =
  'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

describe('a stage’s record', () => {
  it.each(stages)('is accepted for $name', (stage) => {
    expect(checkStage(stage)).toBe(stage);
  });

  const tokens = (changes: object): object => ({ tokens: { ...staging.tokens, ...changes } });
  const wrong: readonly (readonly [rule: RegExp, change: object])[] = [
    [/tokens\.issuer: .*https/, tokens({ issuer: 'login.example.com' })],
    [/tokens\.issuer: .*https/, tokens({ issuer: 'http://127.0.0.1:9000' })],
    [/tokens\.jwksUri: .*https/, tokens({ jwksUri: 'http://login.example.com/keys' })],
    [/tokens\.audience: Too small/, tokens({ audience: '' })],
    [/tokens\.algorithms: Too small/, tokens({ algorithms: [] })],
    [/tokens\.algorithms: .*RS256.*ES256.*EdDSA/, tokens({ algorithms: ['HS256'] })],
    [/tokens\.groupsClaim: Too small/, tokens({ groupsClaim: '' })],
    [/tokens\.requiredScope: .*one scope/, tokens({ requiredScope: '' })],
    [/tokens\.requiredScope: .*one scope/, tokens({ requiredScope: 'plants:read openid' })],
    [/tokens\.requiredScope: .*one scope/, tokens({ requiredScope: 'plants"read' })],
    [/tokens\.profile: .*rfc9068, oidc, cognito or own-user-pool/, tokens({ profile: 'saml' })],
    [
      /tokens\.clientIds: Too small/,
      tokens({ profile: 'cognito', groupsClaim: 'cognito:groups', clientIds: [] }),
    ],
    [/tokens\.groupsClaim: .*cognito:groups/, tokens({ profile: 'cognito', clientIds: ['web'] })],
    [/tableName: .*protected/, { tableName: 'Plants-restored', data: 'disposable' }],
    [/authorizerCacheSeconds: .*3600/, { authorizerCacheSeconds: 3601 }],
    [/authorizerCacheSeconds: .*0/, { authorizerCacheSeconds: -1 }],
    [/authorizerCacheSeconds: .*int/, { authorizerCacheSeconds: 1.5 }],
    [/memoryMb\.ListPlants: .*128/, { memoryMb: { ListPlants: 127 } }],
    [/memoryMb\.Authorizer: .*10240/, { memoryMb: { Authorizer: 10_241 } }],
    [/logRetentionDays: Invalid option/, { logRetentionDays: 4 }],
    [/throttle\.rateLimit: .*1/, { throttle: { rateLimit: 0, burstLimit: 1 } }],
    [/corsOrigins: .*https:\/\/plants\.example\.com/, { corsOrigins: ['*'] }],
    [/corsOrigins: .*https:\/\/plants\.example\.com/, { corsOrigins: ['https://a.b/c'] }],
    [
      /domain\.certificateArn: .*acm/,
      { domain: { name: 'plants.example.com', certificateArn: 'plants.pem' } },
    ],
    [/domain\.name: .*lower case/, { domain: { name: 'Plants.example.com', certificateArn } }],
    [/account: .*12/, { account: '1234' }],
    [/region: .*pattern/, { region: 'Frankfurt' }],
    [/name: .*local, dev, staging, prod/, { name: 'test' }],
    [/release: .*"canary"\|"at-once"/, { release: 'soon' }],
    [/alarmRecipients: .*oncall@example\.com or .*https/, { alarmRecipients: ['oncall'] }],
    [/alarmRecipients: .*https/, { alarmRecipients: ['http://pager.example.com/key'] }],
    [/alarmRecipients: .*different/, { alarmRecipients: ['oncall@example.com', 'oncall@example.com'] }],
    [/lambdaConcurrency: .*1/, { lambdaConcurrency: 0 }],
    [
      /alarmRecipients: .*at most 10/,
      { alarmRecipients: Array.from({ length: 11 }, (_, each) => `${String(each)}@example.com`) },
    ],
    [/monthlyBudgetDollars: .*>0/, { monthlyBudgetDollars: 0 }],
    [/data: .*"disposable"\|"protected"/, { data: 'kept' }],
    [/architecture: .*"arm64"\|"x86_64"/, { architecture: 'arm' }],
  ];
  it.each(wrong)('is refused with a message like %s', (rule, change) => {
    const record: Stage = Object.assign({ ...staging }, change);
    expect(() => checkStage(record)).toThrow(StageError);
    expect(() => checkStage(record)).toThrow(/^Stage "(?:staging|test)": [^\n]*infra\/stages\.ts\.$/);
    expect(() => checkStage(record)).toThrow(rule);
  });

  it.each([
    ['plants.example.com', 'aws', 'eu-central-1'],
    ['example.com', 'aws-us-gov', 'us-gov-west-1'],
    ['*.plants.example.com', 'aws', 'eusc-de-east-1'],
    ['plants.example.cn', 'aws-cn', 'cn-northwest-1'],
    ['xn--pflnzchen-v2a.xn--p1ai', 'aws-iso-b', 'us-iso-east-1'],
  ])('may have any domain, partition and Region of AWS: %s, %s, %s', (name, partition, region) => {
    const domain = { name, certificateArn: certificateArn.replace('arn:aws:', `arn:${partition}:`) };
    expect(() => checkStage({ ...staging, account: '123456789012', region, domain })).not.toThrow();
  });

  it.each([
    ['may', 'http://localhost:9000'],
    ['must not', 'http://10.0.0.1:9000'],
    ['must not', 'http://localhost:80@login.example.com'],
    ['must not', 'http://localhost.example.com'],
  ])('of local %s have the issuer %s: plain http is for this machine only', (verb, issuer) => {
    const local = stageNamed('local');
    const record: Stage = Object.assign({ ...local }, { tokens: { ...local.tokens, issuer } });
    if (verb === 'may') expect(checkStage(record)).toBe(record);
    else expect(() => checkStage(record)).toThrow(/"local": tokens\.issuer: .*https/);
  });
});

describe('a personal stage', () => {
  const dev = stageNamed('dev');

  it('is dev under another name, without alarms, domain, existing table and protected data', () => {
    const records: Stage = {
      ...dev,
      account: '111111111111',
      domain: { name: 'plants.example.com', certificateArn },
      data: 'protected',
      tableName: 'Plants-restored',
      release: 'canary',
      alarmRecipients: ['oncall@example.com'],
    };
    expect(personalStage(records, 'dev-anna')).toEqual({ ...dev, account: '111111111111', name: 'dev-anna' });
  });

  it.each(['a', '7', 'anna', 'pr-17', 'a--b', 'a'.repeat(30)])('can be named dev-%s', (name) => {
    expect(personalStage(dev, `dev-${name}`).name).toBe(`dev-${name}`);
  });

  it.each(['UPPER_case', '', '-anna', 'anna-', 'a'.repeat(31), 'anna.b', 'änna', 'anna\n', '*'])(
    'cannot be named dev-%s, and the message says which names are allowed',
    (name) => {
      expect(() => personalStage(dev, `dev-${name}`)).toThrow(StageError);
      expect(() => personalStage(dev, `dev-${name}`)).toThrow(
        /^There is no stage "dev-[^]*": [^\n]*1 to 30 lower case letters, digits or hyphens[^\n]*\.$/,
      );
    },
  );
});
