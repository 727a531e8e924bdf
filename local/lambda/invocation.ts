/** One invocation of a function, as sent to its worker. */
export interface Invocation {
  readonly requestId: string;
  /** The event as JSON, as Lambda passes it. */
  readonly event: string;
  /** When the function is stopped, in milliseconds since 1970. */
  readonly deadline: number;
}

/** What the worker sends once it has loaded the function. */
export const loaded = 'loaded';

/** What the worker sends back: the result as JSON, or the error that the handler threw. */
export type Outcome =
  | { readonly type: 'result'; readonly payload: string }
  | { readonly type: 'error'; readonly errorType: string };

/**
 * Invokes a function by its logical id.
 * @throws {InvocationError} when the function returned no result
 */
export type Invoke = (functionId: string, event: unknown) => Promise<unknown>;

/** A function threw, ended, timed out or returned too much; for the first, the message is the error's name. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError';
}
