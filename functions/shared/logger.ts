import type { Environment } from './environment.ts';
import type { Log } from './log-events.ts';

/** Adds the deployed commit and the function's version to every log entry; `unknown` where there is none. */
export const logger = (
  sink: Log<object>,
  { DEPLOYED_COMMIT: commit = 'unknown', AWS_LAMBDA_FUNCTION_VERSION: version = 'unknown' }: Environment,
): Log<object> => ({
  info: (entry) => {
    sink.info({ ...entry, commit, version });
  },
  warn: (entry) => {
    sink.warn({ ...entry, commit, version });
  },
  error: (entry) => {
    sink.error({ ...entry, commit, version });
  },
});
