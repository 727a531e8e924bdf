/** Why a version gets no traffic. */
export interface Problem {
  readonly problem:
    /** Lambda did not invoke it. */
    | 'not-invoked'
    /** It threw, timed out or could not be loaded. */
    | 'function-error'
    /** The authorizer did not deny a token of an unknown key. */
    | 'not-denied'
    /** It denied the token, but not because the key is unknown. */
    | 'denied-for-another-reason'
    /** The list function did not respond `200 []` to a caller who has nothing. */
    | 'not-an-empty-list'
    /** It did not respond 401 with error 1004 to a request without a caller. */
    | 'not-refused';
  /** The error's type, or the response's status and error value. */
  readonly cause?: string | undefined;
}

/** Everything the hook writes to its log. No entry holds the token. */
export type LogEntry =
  { readonly event: 'version-passed' } | ({ readonly event: 'version-refused' } & Problem);

/** A destination of log entries, such as `console`, which writes each as a line of JSON in Lambda's JSON log format. */
export interface Log {
  readonly info: (entry: LogEntry) => void;
  readonly error: (entry: LogEntry) => void;
}
