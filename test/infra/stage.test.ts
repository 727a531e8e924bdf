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
  const wrong: readonly (readonly [string, object])[] = [
    [
      'tokens.issuer must be an https URL',
      { tokens: { ...staging.tokens, issuer: 'http://login.example.com' } },
    ],
    ['tokens.issuer must be an https URL', { tokens: { ...staging.tokens, issuer: 'login.example.com' } }],
    [
      'tokens.issuer must be an https URL',
      { tokens: { ...staging.tokens, issuer: 'http://127.0.0.1:9000' } },
    ],
    [
      'tokens.jwksUri must be an https URL',
      { tokens: { ...staging.tokens, jwksUri: 'http://login.example.com/keys' } },
    ],
    ['tokens.audience must not be empty', { tokens: { ...staging.tokens, audience: '' } }],
    ['tokens.algorithms must name at least one algorithm', { tokens: { ...staging.tokens, algorithms: [] } }],
    [
      'tokens.algorithms.0 must be RS256, ES256 or EdDSA',
      { tokens: { ...staging.tokens, algorithms: ['HS256'] } },
    ],
    ['tokens.groupsClaim must not be empty', { tokens: { ...staging.tokens, groupsClaim: '' } }],
    [
      'tokens.profile must be rfc9068, oidc, cognito or own-user-pool',
      { tokens: { ...staging.tokens, profile: 'saml' } },
    ],
    [
      'tokens.clientIds must name at least one client',
      { tokens: { ...staging.tokens, profile: 'cognito', clientIds: [], audience: undefined } },
    ],
    ['authorizerCacheSeconds must be at most 3600 (seconds)', { authorizerCacheSeconds: 3601 }],
    ['authorizerCacheSeconds must be at least 0 (seconds)', { authorizerCacheSeconds: -1 }],
    ['authorizerCacheSeconds must be a whole number', { authorizerCacheSeconds: 1.5 }],
    ['listPlants.memoryMb must be at least 128 (MB)', { listPlants: { memoryMb: 127 } }],
    ['authorizer.memoryMb must be at most 10240 (MB)', { authorizer: { memoryMb: 10_241 } }],
    ['logRetentionDays must be one of the RetentionDays of CloudWatch Logs', { logRetentionDays: 4 }],
    ['logRetentionDays must not be infinite', { logRetentionDays: 9999 }],
    [
      'throttle.rateLimit must be at least 1 (requests per second)',
      { throttle: { rateLimit: 0, burstLimit: 1 } },
    ],
    ['corsOrigins.0 must be an origin such as https://plants.example.com', { corsOrigins: ['*'] }],
    [
      'corsOrigins.0 must be an origin such as https://plants.example.com',
      { corsOrigins: ['https://a.b/c'] },
    ],
    [
      'domain.name must be a domain name such as plants.example.com',
      { domain: { name: 'https://plants.example.com', certificateArn } },
    ],
    [
      'domain.certificateArn must be the ARN of an ACM certificate',
      { domain: { name: 'plants.example.com', certificateArn: 'plants.pem' } },
    ],
    ['release must be canary or at-once', { release: 'soon' }],
    ['alarmEmails.0 must be an e-mail address', { alarmEmails: ['oncall'] }],
    [
      'alarmEmails must be set for a canary, which an alarm rolls back; it may be empty',
      { alarmEmails: undefined },
    ],
    ['data must be disposable or protected', { data: 'kept' }],
    ['architecture must be arm64 or x86_64', { architecture: 'arm' }],
  ];
  it.each(wrong)('is refused: %s', (rule, change) => {
    const record: Stage = Object.assign({ ...staging }, change);
    expect(() => checkStage(record)).toThrow(
      new StageError(`Stage "staging": ${rule}. Correct it in infra/stages.ts.`),
    );
  });

  it('may name a plain http issuer only on this machine, and only for local', () => {
    const local = stageNamed('local');
    const tokens: Stage['tokens'] = {
      profile: 'rfc9068',
      audience: 'plant-store',
      algorithms: ['RS256'],
      groupsClaim: 'groups',
      jwksUri: 'http://127.0.0.1:9000/keys',
      issuer: 'http://10.0.0.1:9000',
    };
    expect(() => checkStage({ ...local, tokens })).toThrow(
      'Stage "local": tokens.issuer must be an https URL',
    );
    expect(() =>
      checkStage({ ...local, tokens: { ...tokens, issuer: 'http://localhost:9000' } }),
    ).not.toThrow();
  });

  it('with a field nobody knows is refused', () => {
    const record: Stage = Object.assign({ ...staging }, { memory: 128 });
    expect(() => checkStage(record)).toThrow(/^Stage "staging": .*memory/);
  });
});
