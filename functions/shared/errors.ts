/** The largest int32, which is the specification's maximum of `limit`. */
export const maxLimit = 2_147_483_647;

/** One row of the error table in docs/contract.md. */
export interface CatalogueEntry {
  /** The `error` of the Error body (int32). 1xxx: the caller can fix the request. 2xxx: retry with backoff. */
  readonly error: number;
  readonly statusCode: number;
  /** Complete sentences for a person, without internals. */
  readonly message: string;
}

/** Every failure this function can respond with. */
export const catalogue = {
  invalidLimit: {
    error: 1001,
    statusCode: 400,
    message: `The limit is not valid. Pass one whole number from 0 to ${String(maxLimit)}, without sign or leading zeros.`,
  },
  invalidCursor: {
    error: 1002,
    statusCode: 400,
    message: 'The cursor is not valid. Take it unchanged from the Link header of the previous page.',
  },
  resultTooLarge: {
    error: 1003,
    statusCode: 400,
    message:
      'The result is too large for one response. Pass a limit, or a smaller one, and follow the Link header to the next page.',
  },
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
    message: 'The response was not ready in time. Try again in a moment, or pass a smaller limit.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** A failure with the catalogue entry that the caller receives. Only the log sees its `cause`. */
export class ServiceError extends Error {
  readonly entry: CatalogueEntry;

  constructor(entry: CatalogueEntry, options?: ErrorOptions) {
    super(entry.message, options);
    this.entry = entry;
  }
}
