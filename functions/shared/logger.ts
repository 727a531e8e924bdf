import type { Environment } from './environment.ts';

type Levels = Readonly<Record<'info' | 'warn' | 'error', (entry: object) => void>>;

/** Adds the deployed commit to every log entry; `unknown` where the function was deployed without one. */
export const logger = (sink: Levels, { DEPLOYED_COMMIT: commit = 'unknown' }: Environment): Levels => ({
  info: (entry) => {
    sink.info({ ...entry, commit });
  },
  warn: (entry) => {
    sink.warn({ ...entry, commit });
  },
  error: (entry) => {
    sink.error({ ...entry, commit });
  },
});
