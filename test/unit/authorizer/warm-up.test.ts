import { describe, expect, it, vi } from 'vitest';
import { preloadKeys } from '../../../functions/authorizer/warm-up.ts';
import { startAuthorizer } from '../../attacks/authorizer.ts';
import { issuerOf } from '../../support/issuer.ts';
import { ecKey, edKey, keysOfAllAlgorithms, rsaKey } from '../../support/signing-keys.ts';

const first = rsaKey('first');
const keys = [first, rsaKey('second'), ecKey('third'), edKey('fourth')];
const keySet = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
const issuer = issuerOf(ecKey('unused'), 'https://login.example.com', 'plant-store');

describe('the warm-up of the authorizer', () => {
  it('fetches the keys for the first requests, and verifies a token for each algorithm', async () => {
    const { dependencies, publish, decide, fetches, log } = startAuthorizer(issuer);
    const verifications = vi.spyOn(dependencies.jwks, 'current');
    publish(keySet);
    await preloadKeys(dependencies);
    expect([fetches(), verifications.mock.calls.length]).toEqual([1, 3]);
    publish(undefined);
    for (const key of keys) {
      expect(await decide(`Bearer ${issuer.token({ key })}`)).toMatchObject({ isAuthorized: true });
    }
    expect(log.entries).toEqual([]);
  });

  it('verifies a token for each algorithm if the stage allows every asymmetric one', async () => {
    const TOKEN_ALGORITHMS = keysOfAllAlgorithms.map(({ alg }) => alg).join(',');
    const { dependencies, fetches, log } = startAuthorizer(issuer, { TOKEN_ALGORITHMS });
    const verifications = vi.spyOn(dependencies.jwks, 'current');
    await preloadKeys(dependencies);
    expect([fetches(), verifications.mock.calls.length, log.entries]).toEqual([
      1,
      keysOfAllAlgorithms.length,
      [],
    ]);
  });

  it('logs a warning if the issuer is down, and the first request fetches the keys', async () => {
    const { dependencies, publish, decide, log } = startAuthorizer(issuer);
    publish(undefined);
    await preloadKeys(dependencies);
    expect(log.entries).toEqual([['warn', { event: 'warm-up-failed', cause: 'ECONNREFUSED' }]]);
    publish(keySet);
    expect(await decide(`Bearer ${issuer.token({ key: first })}`)).toMatchObject({ isAuthorized: true });
  });
});
