import { errorText } from '../shared/errors.ts';
import { authorize, type AuthorizerDependencies } from './authorize.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Fetches the key set and denies a dummy token with an invalid signature for each of its algorithms, so that
 * the first request finds imported keys and loaded code. It never rejects.
 */
export const preloadKeys = async (dependencies: AuthorizerDependencies): Promise<void> => {
  const { jwks, log } = dependencies;
  try {
    const { keys } = await jwks.preload();
    const oneOfEach = new Map(keys.map(({ algorithm, kid }) => [algorithm, kid]));
    for (const [alg, kid] of oneOfEach) {
      const parts = [JSON.stringify({ alg, kid }), '{}', Buffer.alloc(alg === 'RS256' ? 256 : 64)];
      const token = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
      await authorize({ ...dependencies, log: silent }, { identitySource: [`Bearer ${token}`] });
    }
  } catch (error) {
    log.warn({ event: 'warm-up-failed', cause: errorText(error) });
  }
};
