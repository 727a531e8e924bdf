import type { Environment } from './environment.ts';
import type { Log } from './log-events.ts';

/** Adds the function's version to every log entry, or `unknown` if the variable is not set. */
export const logger = (
  sink: Log<object>,
  { AWS_LAMBDA_FUNCTION_VERSION: version = 'unknown' }: Environment,
): Log<object> => {
  const writer = (level: keyof Log<object>) => (entry: object) => {
    sink[level]({ ...entry, version });
  };
  return { info: writer('info'), warn: writer('warn'), error: writer('error') };
};
