import { describe, expect, it } from 'vitest';
import { buildHandler } from '../../../functions/authorizer/build-handler.ts';
import { callerIdOf } from '../../../table/caller-id.ts';
import { cachedJwks } from '../../../functions/authorizer/keys/jwks.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey, signToken } from '../../support/tokens.ts';

const now = Date.UTC(2030, 0, 1);
const key = ecKey('ec-1');
const claims = { iss: 'https://login.example.com/', aud: 'plant-store', sub: 'alice', exp: now / 1000 + 60 };
const token = signToken(key, { typ: 'at+jwt' }, claims);

const log = recordingLog();
const handler = buildHandler({
  policy: {
    profile: { name: 'rfc9068', audience: 'plant-store' },
    issuer: 'https://login.example.com/',
    algorithms: ['ES256'],
    groupsClaim: 'groups',
  },
  callerIdSalt: 'salt',
  jwks: cachedJwks({
    algorithms: ['ES256'],
    fetchJwks: () => Promise.resolve({ keys: [key.jwk] }),
    now: () => now,
    log,
  }),
  now: () => now,
  log,
});

describe('the authorizer', () => {
  it('allows a valid token, and returns its caller', async () => {
    expect(await handler({ identitySource: [`Bearer ${token}`] }, lambdaContext)).toEqual({
      isAuthorized: true,
      context: {
        subject: 'alice',
        groups: [],
        expiresAt: now / 1000 + 60,
        callerId: callerIdOf('salt', 'https://login.example.com/', 'alice'),
      },
    });
  });

  it.each([
    ['no identity source', {}],
    ['an empty identity source', { identitySource: [] }],
    ['an empty header', { identitySource: [''] }],
    ['the token only in the headers', { headers: { authorization: `Bearer ${token}` } }],
  ])('denies a request with %s', async (_, event) => {
    expect(await handler(event, lambdaContext)).toEqual({ isAuthorized: false });
  });
});
