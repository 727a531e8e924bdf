import type { Environment } from './environment.ts';

type Levels = Readonly<Record<'info' | 'warn' | 'error', (entry: object) => void>>;

/** Adds the function's version to every log entry; `unknown` where there is none. */
export const logger = (
  sink: Levels,
  { AWS_LAMBDA_FUNCTION_VERSION: version = 'unknown' }: Environment,
): Levels => ({
  info: (entry) => {
    sink.info({ ...entry, version });
  },
  warn: (entry) => {
    sink.warn({ ...entry, version });
  },
  error: (entry) => {
    sink.error({ ...entry, version });
  },
});
