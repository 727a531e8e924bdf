import { logger } from '../shared/logger.ts';
import { variable } from '../shared/environment.ts';
import { buildHandler } from './build-handler.ts';
import { fetchDeadline, fetchJwks } from './keys/fetch-jwks.ts';
import { cachedJwks } from './keys/jwks.ts';
import { tokenPolicyFrom } from './token-policy.ts';

const jwksUri = variable(process.env, 'JWKS_URI');

const now = (): number => Date.now();
const log = logger(console, process.env);

const policy = tokenPolicyFrom(process.env);

export const handler = buildHandler({
  policy,
  // An id without a salt can be found by trying names, but is no reason to refuse anybody.
  callerIdSalt: process.env['CALLER_ID_SALT'] ?? '',
  jwks: cachedJwks({
    fetchJwks: () => fetchJwks(jwksUri, fetchDeadline),
    algorithms: policy.algorithms,
    now,
    log,
  }),
  now,
  log,
});
