import { describe, expect, it } from 'vitest';
import { authorize } from '../../../functions/authorizer/authorize.ts';
import { cachedJwks } from '../../../functions/authorizer/jwks.ts';
import { type KeySet, parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { preloadKeys } from '../../../functions/authorizer/preload-keys.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey, edKey, rsaKey, type SigningKey, signToken } from '../../support/tokens.ts';

const audience = 'plant-store';
const policy = {
  profile: { name: 'oidc', audience },
  issuer: 'https://login.example.com',
  algorithms: ['RS256', 'ES256', 'EdDSA'],
  groupsClaim: 'groups',
} as const;
const now = (): number => Date.UTC(2030, 0, 1);

/** An authorizer whose issuer answers as many fetches as it has responses. */
const authorizerWith = (...responses: readonly (SigningKey | Error)[]) => {
  const log = recordingLog();
  const left = [...responses];
  const jwks = cachedJwks({
    algorithms: policy.algorithms,
    fetchJwks: () => {
      const response = left.shift() ?? new Error('no fetch was expected');
      return response instanceof Error ? Promise.reject(response) : Promise.resolve({ keys: [response.jwk] });
    },
    now,
    log,
  });
  return { dependencies: { policy, callerIdSalt: '', jwks, now, log }, log };
};

const tokenOf = (key: SigningKey): string =>
  signToken(key, { typ: 'JWT' }, { iss: policy.issuer, aud: audience, sub: 'alice', exp: now() / 1000 + 60 });

describe('the authorizer, before its first request,', () => {
  it.each([rsaKey('rsa'), ecKey('ec'), edKey('okp')])(
    'fetches the keys once, and decides with them without another fetch',
    async (key) => {
      const { dependencies, log } = authorizerWith(key);
      await preloadKeys(dependencies);
      expect(log.entries).toEqual([]);
      const { isAuthorized } = await authorize(dependencies, { identitySource: [`Bearer ${tokenOf(key)}`] });
      expect(isAuthorized).toBe(true);
    },
  );

  it('decides once with each algorithm', async () => {
    const { dependencies, log } = authorizerWith();
    const jwks = [rsaKey('first'), rsaKey('second'), ecKey('third')].map(({ jwk }) => jwk);
    const keySet = parseKeySet({ keys: jwks }, policy.algorithms);
    let decisions = 0;
    const current = (): Promise<KeySet> => {
      decisions += 1;
      return Promise.resolve(keySet);
    };
    const preload = (): Promise<KeySet> => Promise.resolve(keySet);
    await preloadKeys({ ...dependencies, jwks: { preload, current, latest: current } });
    expect(decisions).toBe(2);
    expect(log.entries).toEqual([]);
  });

  it('logs a warning when the issuer is down, and the first request tries again at once', async () => {
    const key = ecKey('ec');
    const { dependencies, log } = authorizerWith(new Error('down'), key);
    await preloadKeys(dependencies);
    expect(log.entries).toEqual([['warn', { event: 'warm-up-failed', cause: 'Error' }]]);
    const { isAuthorized } = await authorize(dependencies, { identitySource: [`Bearer ${tokenOf(key)}`] });
    expect(isAuthorized).toBe(true);
  });
});
