/** Everything this function writes to its log; none of it holds a token, a claim or a plant's name. */
export type LogEntry =
  /** Stored items that break the table's shape were left out of an answer. */
  | { readonly event: 'damaged-items'; readonly count: number }
  /** A request was answered with an Error body. */
  | {
      readonly event: 'request-failed';
      /** The catalogue's error value. */
      readonly error: number;
      /** What lies behind it: error names and system codes, without their messages. */
      readonly cause?: string | undefined;
      /** Of an unexpected error: where it was thrown. */
      readonly stack?: readonly string[] | undefined;
    };

/** Where entries go. `console` is one: with Lambda's JSON log format it writes an entry as one JSON line. */
export interface Log {
  readonly info: (entry: LogEntry) => void;
  readonly error: (entry: LogEntry) => void;
}
