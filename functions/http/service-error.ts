/** An error that `openapi.yaml` describes. */
export interface CatalogueEntry {
  /** The `error` of the Error body (int32). 1xxx: correct the request. 2xxx: retry with backoff. */
  readonly error: number;
  readonly statusCode: number;
  /** Complete sentences for a person, without internals. */
  readonly message: string;
}

/** Whether the caller may retry the request, because the service failed. */
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
type ErrorMapping = readonly [
  errorClass: abstract new (...parameters: never) => Error,
  entry: CatalogueEntry,
];

/**
 * Returns a function that throws an error as the caller gets it. For an error of one of the classes, it
 * throws a `ServiceError` with the entry of the class, and with the error's cause for the log. It throws any
 * other error unchanged.
 */
export const throwAs =
  (mappings: readonly ErrorMapping[]) =>
  (error: unknown): never => {
    for (const [errorClass, entry] of mappings)
      if (error instanceof errorClass) throw new ServiceError(entry, { cause: error.cause });
    throw error;
  };
