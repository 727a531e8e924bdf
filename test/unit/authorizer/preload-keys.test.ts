import { describe, expect, it, vi } from 'vitest';
import { authorize } from '../../../functions/authorizer/authorize.ts';
import { cachedJwks } from '../../../functions/authorizer/jwks.ts';
import { algorithms } from '../../../functions/authorizer/key-set.ts';
import { preloadKeys } from '../../../functions/authorizer/preload-keys.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey, edKey, rsaKey, type SigningKey, signToken } from '../../support/tokens.ts';

const policy = {
  profile: { name: 'oidc', audience: 'plant-store' },
  issuer: 'https://login.example.com',
  algorithms,
  groupsClaim: 'groups',
} as const;
const now = Date.UTC(2030, 0, 1);
const valid = { iss: policy.issuer, aud: 'plant-store', sub: 'alice', exp: now / 1000 + 60 };

/** An authorizer whose issuer answers as many fetches as it has responses; `undefined`: it is down. */
const authorizerWith = (...responses: readonly (readonly SigningKey[] | undefined)[]) => {
  const log = recordingLog();
  const left = [...responses];
  const fetchJwks = () => {
    const keys = left.shift();
    return keys ? Promise.resolve({ keys: keys.map(({ jwk }) => jwk) }) : Promise.reject(new Error('down'));
  };
  const jwks = cachedJwks({ algorithms, fetchJwks, now: () => now, log });
  const asked = { current: vi.fn(jwks.current), latest: vi.fn(jwks.latest) };
  const dependencies = { policy, callerIdSalt: '', jwks: { ...jwks, ...asked }, now: () => now, log };
  return {
    log,
    asked,
    preload: () => preloadKeys(dependencies),
    allows: async (key: SigningKey) => {
      const token = signToken(key, { typ: 'JWT' }, valid);
      return (await authorize(dependencies, { identitySource: [`Bearer ${token}`] })).isAuthorized;
    },
  };
};

describe('the authorizer, before its first request,', () => {
  it('fetches the keys once, and decides once with each algorithm', async () => {
    const keys = [rsaKey('first'), rsaKey('second'), ecKey('third'), edKey('fourth')];
    const { preload, asked, allows, log } = authorizerWith(keys);
    await preload();
    expect([asked.current, asked.latest].map(({ mock }) => mock.calls.length)).toEqual([3, 0]);
    for (const key of keys) expect(await allows(key)).toBe(true);
    expect(log.entries).toEqual([]);
  });

  it('logs a warning when the issuer is down, and the first request tries again at once', async () => {
    const key = ecKey('ec');
    const { preload, allows, log } = authorizerWith(undefined, [key]);
    await preload();
    expect(log.entries).toEqual([['warn', { event: 'warm-up-failed', cause: 'Error' }]]);
    expect(await allows(key)).toBe(true);
  });
});
