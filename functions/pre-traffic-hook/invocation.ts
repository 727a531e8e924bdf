/** What a version of a function did with an event. */
export interface Invocation {
  /** The type of the error when the function failed: it threw, timed out or could not be loaded. */
  readonly error?: string | undefined;
  /** What the handler returned. */
  readonly result: unknown;
  /** The entries that it logged, as far as the tail of its log has them. */
  readonly entries: readonly unknown[];
}

/**
 * Invokes the version under test.
 * @throws {AwsError} when Lambda does not invoke it
 */
export type Invoke = (event: object) => Promise<Invocation>;

/** The fields of an object; of anything else, none. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
