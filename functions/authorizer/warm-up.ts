import { authorize, type Dependencies } from './authorize.ts';
import { type CachedJwks, causeOf } from './keys/jwks.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Fetches the key set and uses it once, so that the first request finds imported keys and loaded code: for each of the issuer's
 * algorithms, it denies a token that nobody signed. It never rejects.
 */
export const warmUp = async (dependencies: Dependencies & { readonly jwks: CachedJwks }): Promise<void> => {
  const { jwks, log } = dependencies;
  try {
    const { keys } = await jwks.preload();
    // Any of them can sign the first token.
    for (const { publicKey } of keys) publicKey();
    const oneOfEach = new Map(keys.map((key) => [key.algorithm, key])).values();
    for (const { algorithm: alg, kid } of oneOfEach) {
      const parts = [JSON.stringify({ alg, kid }), '{}', Buffer.alloc(alg === 'RS256' ? 256 : 64)];
      const token = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
      await authorize({ ...dependencies, log: silent }, `Bearer ${token}`);
    }
  } catch (error) {
    log.warn({ event: 'warm-up-failed', cause: causeOf(error) });
  }
};
