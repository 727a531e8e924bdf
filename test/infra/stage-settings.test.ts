import { describe, expect, it } from 'vitest';
import { tokenPolicyFrom } from '../../functions/authorizer/token-policy.ts';
import { tokenEnvironment } from '../../infra/authorizer-function.ts';
import { checkStage, type IssuedTokens, type Stage, StageError } from '../../infra/stage-settings.ts';
import { stageNamed, stages } from '../../infra/stages.ts';
import { keysOfAllAlgorithms } from '../support/tokens.ts';

const staging = stageNamed('staging');

describe('a stage', () => {
  it.each(stages)('is accepted as it is recorded: $name', (stage) => {
    expect(checkStage(stage)).toBe(stage);
  });

  const withTokens = (stage: Stage, change: object): Stage =>
    Object.assign({ ...stage }, { tokens: { ...stage.tokens, ...change } });

  it.each<[field: string, rule: string, Stage]>([
    ['account', 'twelve digits', { ...staging, account: '1234567890123' }],
    ['tableName', 'protected data', { ...staging, tableName: 'Plants-restored', data: 'disposable' }],
    ['refusedPercent', 'above 0', { ...staging, refusedPercent: 0 }],
    ['refusedPercent', '100 at most', { ...staging, refusedPercent: 200 }],
    ['corsOrigins', 'default port', { ...staging, corsOrigins: ['https://a.example.com:443'] }],
    ['corsOrigins', 'path', { ...staging, corsOrigins: ['https://a.example.com/app'] }],
    ['corsOrigins', 'slash at the end', { ...staging, corsOrigins: ['https://plants.example.com/'] }],
    ['tokens.audience', 'not be empty', withTokens(staging, { profile: 'oidc', audience: '' })],
    ['tokens.audience', 'not be empty', withTokens(staging, { profile: 'cognito', audience: '' })],
    ['tokens.issuer', 'https', withTokens(staging, { issuer: 'http://login.example.com/' })],
    ['tokens.issuer', 'https', withTokens(staging, { issuer: 'http://127.0.0.1:9000' })],
    ['tokens.issuer', 'blanks', withTokens(staging, { issuer: 'https://login.example.com/ ' })],
    ['tokens.jwksUri', 'https', withTokens(staging, { jwksUri: 'ftp://login.example.com/keys' })],
    ['tokens.issuer', 'https', withTokens(stageNamed('local'), { issuer: 'http://localhost.example.com' })],
  ])('is refused in one sentence: %s must be %s', (field, rule, stage) => {
    expect(() => checkStage(stage)).toThrow(StageError);
    const sentence = new RegExp(`^Stage "${stage.name}": ${field} .*${rule}.*infra/stages\\.ts\\.$`);
    expect(() => checkStage(stage)).toThrow(sentence);
  });

  it('may have an existing table, an account, origins, and, on this machine, an issuer without TLS', () => {
    for (const stage of [
      { ...staging, tableName: 'Plants-restored', account: '123456789012' },
      { ...staging, corsOrigins: ['https://plants.example.com', 'http://localhost:5173'] },
      withTokens(stageNamed('local'), { issuer: 'http://localhost:9000', jwksUri: 'http://[::1]:9000/keys' }),
    ] satisfies readonly Stage[])
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

  it('can be all asymmetric ones', () => {
    expect(tokenPolicyFrom(environment(algorithms)).algorithms).toEqual(algorithms);
    expect(new Set(algorithms)).toEqual(new Set(keysOfAllAlgorithms.map(({ alg }) => alg)));
  });

  it('cannot be symmetric: neither by their type nor when the authorizer starts', () => {
    // @ts-expect-error A stage with this algorithm is not synthesized.
    const variables = environment(['HS256']);
    expect(() => tokenPolicyFrom(variables)).toThrow(
      /^Set .* TOKEN_ALGORITHMS to asymmetric algorithms.*\.$/,
    );
  });
});

describe('a personal stage', () => {
  it('is dev under another name, without what exists once, is charged by the month or outlives it', () => {
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
