/** Everything this function writes to its log. No entry holds a token, a claim or a plant name. */
export type LogEntry =
  /** Damaged items were left out of a response. */
  | { readonly event: 'damaged-items'; readonly count: number }
  /** What a request needs could not be tried before the first one. */
  | { readonly event: 'warm-up-failed'; readonly cause: string }
  /** The response to a request was an Error body. */
  | {
      readonly event: 'request-failed';
      /** The catalogue's error value. */
      readonly error: number;
      /** The name and code of the error behind it, without its message. */
      readonly cause?: string | undefined;
      /** Where an unexpected error was thrown. */
      readonly stack?: readonly string[] | undefined;
    };

/** A destination of log entries, such as `console`, which writes each as a line of JSON in Lambda's JSON log format. */
export interface Log {
  readonly info: (entry: LogEntry) => void;
  readonly warn: (entry: LogEntry) => void;
  readonly error: (entry: LogEntry) => void;
}
