export interface RecordingLog {
  readonly info: (entry: unknown) => void;
  readonly warn: (entry: unknown) => void;
  readonly error: (entry: unknown) => void;
  /** The entries so far, each with its level. */
  readonly entries: readonly (readonly [level: string, entry: unknown])[];
}

/** A log that records its entries. */
export const recordingLog = (): RecordingLog => {
  const entries: [string, unknown][] = [];
  const write =
    (level: string) =>
    (entry: unknown): void => {
      entries.push([level, entry]);
    };
  return { info: write('info'), warn: write('warn'), error: write('error'), entries };
};
