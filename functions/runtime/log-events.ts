/** Everything an operation writes to its log. No entry holds a token, a claim or a plant name. */
export type OperationLogEntry =
  /** Damaged items were skipped. */
  | { readonly event: 'damaged-items'; readonly count: number }
  | WarmUpFailed
  /** The operation responded with an error (schema `Error` in openapi.yaml). */
  | {
      readonly event: 'request-failed';
      /** The `error` of the response, such as 1001 (`CatalogueEntry` in functions/http). */
      readonly error: number;
      readonly cause?: string | undefined;
      /** Where an unexpected error was thrown. */
      readonly stack?: readonly string[] | undefined;
    };

/** The warm-up before the first request failed. */
export interface WarmUpFailed {
  readonly event: 'warm-up-failed';
  readonly cause: string;
}

/** A destination of log entries, such as `console` in Lambda's JSON log format. */
export type Log<Entry> = Readonly<Record<'info' | 'warn' | 'error', (entry: Entry) => void>>;
