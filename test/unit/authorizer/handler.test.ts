import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { lambdaContext } from '../../support/lambda-context.ts';
import { useLambda } from '../lambda-environment.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { ecKey } from '../../support/signing-keys.ts';
import { signToken } from '../../support/tokens.ts';

const now = Date.UTC(2030, 0, 1);
const iss = 'https://login.example.com/';
const key = ecKey('ec');
const valid = { iss, aud: 'plant-store', sub: 'alice', exp: now / 1000 + 60.5 };
const event = { identitySource: [`Bearer ${signToken(key, { typ: 'at+jwt' }, valid)}`] };

let fetches = 0;
const issuer = createServer((_, response) => {
  fetches += 1;
  response.end(JSON.stringify({ keys: [key.jwk] }));
});
const environment = {
  TOKEN_PROFILE: 'rfc9068',
  TOKEN_ISSUER: iss,
  TOKEN_ALGORITHMS: 'ES256',
  AUDIENCE: 'plant-store',
  GROUPS_CLAIM: 'groups',
  AWS_LAMBDA_FUNCTION_VERSION: '7',
};
beforeAll(async () => {
  Object.assign(environment, { JWKS_URI: await startServer(issuer) });
});
afterAll(() => stopServer(issuer));
useLambda(environment, now);

// The expected pseudonyms are the output of `printf '%s\0%s\0%s' salt "$iss" alice | sha256sum | cut -c1-16`.
it.each([
  ['salt', '931c02d29b4bcd29'],
  [undefined, '88f31704effa77de'],
])(
  'for the salt %j, allows a token with the pseudonym %s and the keys of the warm-up, until it has expired',
  async (salt, callerId) => {
    vi.stubEnv('CALLER_ID_SALT', salt);
    const info = vi.spyOn(console, 'info').mockReturnValue();
    const { handler, warmUp } = await import('../../../functions/authorizer/handler.ts');
    fetches = 0;
    await warmUp();
    expect(await handler(event, lambdaContext)).toMatchObject({ isAuthorized: true, context: { callerId } });
    expect(fetches).toBe(1);
    vi.setSystemTime(now + 60_500);
    expect(await handler(event, lambdaContext)).toEqual({ isAuthorized: false });
    expect(info.mock.calls).toEqual([[{ event: 'denied', reason: 'lifetime', version: '7' }]]);
  },
);
