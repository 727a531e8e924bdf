import type { Environment } from './environment.ts';

type Levels = Readonly<Record<'info' | 'warn' | 'error', (entry: object) => void>>;

/** A log whose entries say which commit wrote them; a function deployed without one still works. */
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
