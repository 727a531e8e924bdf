/** An error that `openapi.yaml` describes. */
export interface CatalogueEntry {
  /** The `error` of the Error body (int32). 1xxx: correct the request. 2xxx: retry with backoff. */
  readonly error: number;
  readonly statusCode: number;
  /** Complete sentences for a person, without internals. */
  readonly message: string;
}

/** Whether the caller may retry the request: a failure of the service, not an error of the request. */
export const isRetryable = (error: number): boolean => error >= 2000;

/** The errors that every operation can respond with. */
export const commonErrors = {
  noCaller: {
    error: 1004,
    statusCode: 401,
    message: 'The request has no valid caller. Send a bearer token that has not expired.',
  },
  unexpected: {
    error: 2000,
    statusCode: 400,
    message: 'An unexpected error occurred. Try again in a moment.',
  },
  storeUnavailable: {
    error: 2001,
    statusCode: 400,
    message: 'The plant store did not respond or is overloaded. Try again in a moment.',
  },
  deadlineExceeded: {
    error: 2002,
    statusCode: 400,
    message: 'The response was not ready in time. Try again in a moment.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** A failure with the catalogue entry that the caller receives. Its `cause` is for the log only. */
export class ServiceError extends Error {
  readonly entry: CatalogueEntry;

  constructor(entry: CatalogueEntry, options?: ErrorOptions) {
    super(entry.message, options);
    this.entry = entry;
  }
}
