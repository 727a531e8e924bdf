import { errorName } from '../runtime/error-name.ts';
import type { AuthorizerDependencies } from './authorize.ts';
import { verifyToken } from './verify-token.ts';

/**
 * Fetches the key set, and verifies a dummy token with an invalid signature for each algorithm, so that the
 * first request finds imported keys and loaded code. It never rejects.
 */
export const preloadKeys = async ({ policy, jwks, now, log }: AuthorizerDependencies): Promise<void> => {
  try {
    await jwks.preload();
    for (const alg of policy.algorithms) {
      const parts = [JSON.stringify({ alg }), '{}', Buffer.alloc(64)];
      const token = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
      await verifyToken(token, policy, jwks, now()).catch(() => undefined);
    }
  } catch (error) {
    log.warn({ event: 'warm-up-failed', cause: errorName(error) });
  }
};
