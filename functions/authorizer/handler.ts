import middy from '@middy/core';
import { logger } from '../shared/logger.ts';
import { variable } from '../shared/environment.ts';
import { authorize, type AuthorizerEvent, type Decision } from './authorize.ts';
import { cachedJwks, fetchJwks } from './jwks.ts';
import { preloadKeys } from './preload-keys.ts';
import { tokenPolicyFrom } from './token-policy.ts';

const jwksUri = variable(process.env, 'JWKS_URI');
const now = (): number => Date.now();
const log = logger(console, process.env);
const policy = tokenPolicyFrom(process.env);

const dependencies = {
  policy,
  // An id without a salt can be found by trying names, but is no reason to refuse anybody.
  callerIdSalt: process.env['CALLER_ID_SALT'] ?? '',
  jwks: cachedJwks({
    fetchJwks: () => fetchJwks(jwksUri),
    algorithms: policy.algorithms,
    now,
    log,
  }),
  now,
  log,
};

/** It has no error handler, so that a failure reaches the gateway as a failure. */
export const handler = middy<AuthorizerEvent, Decision>((event: AuthorizerEvent) =>
  authorize(dependencies, event),
);

/** Called once, before the first event. */
export const warmUp = (): Promise<void> => preloadKeys(dependencies);
