import middy from '@middy/core';
import { logger } from '../runtime/logger.ts';
import { variable } from '../runtime/environment.ts';
import { authorize, type AuthorizerEvent, type Decision } from './authorize.ts';
import { fetchJwks } from './fetch-jwks.ts';
import { jwksCache } from './jwks-cache.ts';
import { preloadKeys } from './warm-up.ts';
import { tokenPolicyFrom } from './token-policy.ts';

const jwksUri = variable(process.env, 'JWKS_URI');
const now = (): number => Date.now();
const log = logger(console, process.env);
const policy = tokenPolicyFrom(process.env);

const dependencies = {
  policy,
  // Optional, because no decision depends on the salt. Without a salt, anyone can compute a user's pseudonym.
  callerIdSalt: process.env['CALLER_ID_SALT'] ?? '',
  jwks: jwksCache({ fetchJwks: () => fetchJwks(jwksUri), algorithms: policy.algorithms, now, log }),
  now,
  log,
};

/** Has no error middleware, because the gateway must get the error: it caches denials, but not errors. */
export const handler = middy<AuthorizerEvent, Decision>((event: AuthorizerEvent) =>
  authorize(dependencies, event),
);

/** Called once, before the first event. */
export const warmUp = (): Promise<void> => preloadKeys(dependencies);
