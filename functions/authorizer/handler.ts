import { logger } from '../shared/logger.ts';
import { variable } from '../shared/environment.ts';
import { buildHandler } from './build-handler.ts';
import { fetchJwks } from './keys/fetch-jwks.ts';
import { cachedJwks } from './keys/jwks.ts';
import { tokenPolicyFrom } from './token-policy.ts';
import { warmUp as walkOnce } from './warm-up.ts';

const jwksUri = variable(process.env, 'JWKS_URI');

const now = (): number => Date.now();
const log = logger(console, process.env);

const policy = tokenPolicyFrom(process.env);

const dependencies = {
  policy,
  // An id without a salt can be found by trying names, but is no reason to refuse anybody.
  callerIdSalt: process.env['CALLER_ID_SALT'] ?? '',
  jwks: cachedJwks({
    fetchJwks: (deadline) => fetchJwks(jwksUri, deadline),
    algorithms: policy.algorithms,
    now,
    log,
  }),
  now,
  log,
};

export const handler = buildHandler(dependencies);

/** Called once, before the first event. */
export const warmUp = (): Promise<void> => walkOnce(dependencies);
