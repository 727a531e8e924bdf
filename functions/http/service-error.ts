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

/** A failure with the catalogue entry that the caller receives. Its `cause` is for the log only. */
export class ServiceError extends Error {
  readonly entry: CatalogueEntry;

  constructor(entry: CatalogueEntry, options?: ErrorOptions) {
    super(entry.message, options);
    this.entry = entry;
  }
}

/** A class of errors, with the entry that the caller gets for them. */
type ErrorEntry = readonly [errorClass: abstract new (...parameters: never) => Error, entry: CatalogueEntry];

/**
 * Returns a function that throws what the caller gets for an error: a `ServiceError` if the error is of one of
 * the classes, with the cause of the error for the log, otherwise the error as it is.
 */
export const throwAs =
  (entries: readonly ErrorEntry[]) =>
  (error: unknown): never => {
    for (const [errorClass, entry] of entries)
      if (error instanceof errorClass) throw new ServiceError(entry, { cause: error.cause });
    throw error;
  };
