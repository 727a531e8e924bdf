import { describe, expect, it } from 'vitest';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import { tokenEnvironment } from '../../infra/authorizer-function.ts';
import { checkStage, type IssuedTokens, type Stage, StageError } from '../../infra/stage-type.ts';
import { stageNamed, stages } from '../../infra/stages.ts';
import { keysOfAllAlgorithms } from '../support/signing-keys.ts';

const staging = stageNamed('staging');

describe('the check of a stage', () => {
  it.each(stages)('accepts the record $name', (stage) => {
    expect(checkStage(stage)).toBe(stage);
  });

  const withTokens = (stage: Stage, change: object): Stage =>
    Object.assign({ ...stage }, { tokens: { ...stage.tokens, ...change } });

  it.each<[defect: string, field: string, rule: string, Stage]>([
    ['an account of 13 digits', 'account', 'twelve digits', { ...staging, account: '1234567890123' }],
    [
      'an existing table with disposable data',
      'tableName',
      "data: 'protected'",
      { ...staging, tableName: 'Plants-restored', data: 'disposable' },
    ],
    ['an alarm at 0 % refused requests', 'refusedPercent', 'above 0', { ...staging, refusedPercent: 0 }],
    [
      'an alarm at 200 % refused requests',
      'refusedPercent',
      '100 at most',
      { ...staging, refusedPercent: 200 },
    ],
    [
      'an origin with the default port',
      'corsOrigins',
      'default port',
      { ...staging, corsOrigins: ['https://a.example.com:443'] },
    ],
    [
      'an origin with a path',
      'corsOrigins',
      'path',
      { ...staging, corsOrigins: ['https://a.example.com/app'] },
    ],
    [
      'an origin with a slash at the end',
      'corsOrigins',
      'slash at the end',
      { ...staging, corsOrigins: ['https://plants.example.com/'] },
    ],
    [
      'an empty audience in the profile oidc',
      'tokens.audience',
      'not be empty',
      withTokens(staging, { profile: 'oidc', audience: '' }),
    ],
    [
      'an empty audience in the profile cognito',
      'tokens.audience',
      'not be empty',
      withTokens(staging, { profile: 'cognito', audience: '' }),
    ],
    [
      'an issuer without TLS',
      'tokens.issuer',
      'https',
      withTokens(staging, { issuer: 'http://login.example.com/' }),
    ],
    [
      'an issuer on this machine in a deployed stage',
      'tokens.issuer',
      'https',
      withTokens(staging, { issuer: 'http://127.0.0.1:9000' }),
    ],
    [
      'an issuer with a blank at the end',
      'tokens.issuer',
      'blanks',
      withTokens(staging, { issuer: 'https://login.example.com/ ' }),
    ],
    [
      'a key set at an ftp address',
      'tokens.jwksUri',
      'https',
      withTokens(staging, { jwksUri: 'ftp://login.example.com/keys' }),
    ],
    [
      'a local issuer whose name only begins like localhost',
      'tokens.issuer',
      'https',
      withTokens(stageNamed('local'), { issuer: 'http://localhost.example.com' }),
    ],
  ])('refuses %s, and names stage, field, rule and file', (_, field, rule, stage) => {
    expect(() => checkStage(stage)).toThrow(StageError);
    const message = new RegExp(`^Stage "${stage.name}": ${field} .*${rule}.*infra/stages\\.ts\\.$`);
    expect(() => checkStage(stage)).toThrow(message);
  });

  const localIssuer = { issuer: 'http://localhost:9000', jwksUri: 'http://[::1]:9000/keys' };
  it.each<[what: string, Stage]>([
    ['an existing table with protected data', { ...staging, tableName: 'Plants-restored' }],
    ['an account of twelve digits', { ...staging, account: '123456789012' }],
    [
      'origins without a path',
      { ...staging, corsOrigins: ['https://plants.example.com', 'http://localhost:5173'] },
    ],
    ['an issuer on this machine in the stage local', withTokens(stageNamed('local'), localIssuer)],
  ])('accepts %s', (_, stage) => {
    expect(checkStage(stage)).toBe(stage);
  });
});

const algorithms = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const),
] as const satisfies IssuedTokens['algorithms'];

describe('the algorithms of a stage', () => {
  const environment = (names: IssuedTokens['algorithms']) =>
    tokenEnvironment({
      ...{ profile: 'cognito', issuer: 'https://login.example.com/', jwksUri: 'https://login.example.com/' },
      ...{ clientIds: ['web'], algorithms: names },
    });

  it('may be all asymmetric algorithms', () => {
    expect(tokenPolicyFrom(environment(algorithms)).algorithms).toEqual(algorithms);
    expect(new Set(algorithms)).toEqual(new Set(keysOfAllAlgorithms.map(({ alg }) => alg)));
  });

  it('may not be symmetric: the type and the authorizer refuse HS256', () => {
    // @ts-expect-error A stage with this algorithm is not synthesized.
    const variables = environment(['HS256']);
    expect(() => tokenPolicyFrom(variables)).toThrow(
      /^Set .* TOKEN_ALGORITHMS to asymmetric algorithms.*\.$/,
    );
  });
});

describe('a personal stage', () => {
  it('is dev without domain, table name, protected data, canary and alarm recipients', () => {
    const dev = stageNamed('dev');
    const domain = { name: 'plants.example.com', certificateArn: 'arn' };
    const kept = { data: 'protected', tableName: 'Plants-restored' } as const;
    const charged: Stage = { ...dev, ...kept, domain, release: 'canary', alarmRecipients: ['a@example.com'] };
    for (const shared of [undefined, charged])
      expect(stageNamed('dev-anna', shared)).toEqual({ ...dev, name: 'dev-anna' });
  });

  it.each(['7', 'pr-17', 'a'.repeat(30)])('can be named dev-%s', (name) => {
    expect(stageNamed(`dev-${name}`).name).toBe(`dev-${name}`);
  });

  const names = stages.map(({ name }) => name).join(', ');
  const allowed = new RegExp(`^There is no stage "dev-[^]*": choose ${names} or .*1 to 30 lower case.*\\.$`);
  it.each(['Anna', '', '-anna', 'anna-', 'a'.repeat(31), 'anna\n'])('cannot be named dev-%s', (name) => {
    expect(() => stageNamed(`dev-${name}`)).toThrow(StageError);
    expect(() => stageNamed(`dev-${name}`)).toThrow(allowed);
  });
});
