import type { Environment } from './environment.ts';

type Levels = Readonly<Record<'info' | 'warn' | 'error', (entry: object) => void>>;

/** Adds the deployed commit and the function's version to every log entry; `unknown` where there is none. */
export const logger = (
  sink: Levels,
  { DEPLOYED_COMMIT: commit = 'unknown', AWS_LAMBDA_FUNCTION_VERSION: version = 'unknown' }: Environment,
): Levels => ({
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
