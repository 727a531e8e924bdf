import { commitLog } from '../shared/logger.ts';
import { variable } from '../shared/environment.ts';
import { buildHandler } from './build-handler.ts';
import { fetchDeadline, fetchKeySet } from './fetch-jwks.ts';
import { cachedKeySet } from './jwks.ts';
import { tokenPolicyFrom } from './token-policy.ts';

const jwksUri = variable(process.env, 'JWKS_URI');

const now = (): number => Date.now();
const log = commitLog(console, process.env);

export const handler = buildHandler({
  policy: tokenPolicyFrom(process.env),
  getKey: cachedKeySet({ fetchKeySet: () => fetchKeySet(jwksUri, fetchDeadline), now, log }),
  now,
  log,
});
