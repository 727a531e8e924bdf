import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Decision } from '../../../functions/authorizer/authorize.ts';
import { callerIdOf } from '../../../functions/authorizer/authorize.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { ecKey, signToken } from '../../support/tokens.ts';

const now = Date.UTC(2030, 0, 1);
const iss = 'https://login.example.com/';
const key = ecKey('ec');
const tokenWith = (claims: object): string =>
  signToken(
    key,
    { typ: 'at+jwt' },
    { iss, aud: 'plant-store', sub: 'alice', iat: now / 1000, exp: now / 1000 + 60, ...claims },
  );

describe('the authorizer on Lambda', () => {
  const issuer = createServer((_, response) => {
    response.end(JSON.stringify({ keys: [key.jwk] }));
  });
  let jwksUri: string;
  beforeAll(async () => {
    jwksUri = await startServer(issuer);
  });
  afterAll(() => stopServer(issuer));

  beforeEach(() => {
    // The module reads the environment when it is loaded.
    vi.resetModules();
    vi.useFakeTimers({ toFake: ['Date'], now });
    vi.stubEnv('JWKS_URI', jwksUri);
    vi.stubEnv('TOKEN_PROFILE', 'rfc9068');
    vi.stubEnv('TOKEN_ISSUER', iss);
    vi.stubEnv('TOKEN_ALGORITHMS', 'ES256');
    vi.stubEnv('AUDIENCE', 'plant-store');
    vi.stubEnv('GROUPS_CLAIM', 'groups');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const decide = async (token: string): Promise<Decision> => {
    const { handler } = await import('../../../functions/authorizer/handler.ts');
    return handler({ identitySource: [`Bearer ${token}`] }, lambdaContext);
  };

  it.each(['salt', undefined])(
    'allows a token of its issuer, and names the caller with the salt %s',
    async (salt) => {
      vi.stubEnv('CALLER_ID_SALT', salt);
      const callerId = callerIdOf(salt ?? '', iss, 'alice');
      expect(await decide(tokenWith({}))).toMatchObject({ isAuthorized: true, context: { callerId } });
    },
  );

  it('denies a token that has expired, and logs that with its version', async () => {
    const info = vi.spyOn(console, 'info').mockReturnValue();
    vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
    expect(await decide(tokenWith({ exp: now / 1000 }))).toEqual({ isAuthorized: false });
    expect(info.mock.calls).toEqual([[{ event: 'denied', reason: 'lifetime', version: '7' }]]);
  });
});
