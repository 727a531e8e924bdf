export interface RecordingLog {
  readonly info: (entry: unknown) => void;
  readonly warn: (entry: unknown) => void;
  readonly error: (entry: unknown) => void;
  /** What was written so far, each with its level. */
  readonly entries: readonly (readonly [level: string, entry: unknown])[];
}

/** A log that keeps what is written to it. */
export const recordingLog = (): RecordingLog => {
  const entries: [string, unknown][] = [];
  const write =
    (level: string) =>
    (entry: unknown): void => {
      entries.push([level, entry]);
    };
  return { info: write('info'), warn: write('warn'), error: write('error'), entries };
};
