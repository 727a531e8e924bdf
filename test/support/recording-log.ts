import type { Log } from '../../functions/runtime/log-events.ts';

/** A log whose entries a test can read. */
export interface RecordingLog extends Log<unknown> {
  /** The entries so far, each with its level. */
  readonly entries: readonly (readonly [level: string, entry: unknown])[];
}

/** Makes a log that records its entries. */
export const recordingLog = (): RecordingLog => {
  const entries: [string, unknown][] = [];
  const write =
    (level: string) =>
    (entry: unknown): void => {
      entries.push([level, entry]);
    };
  return { info: write('info'), warn: write('warn'), error: write('error'), entries };
};
