/** One invocation of a function, as sent to its worker. */
export interface Invocation {
  readonly requestId: string;
  /** The event as JSON, as Lambda passes it. */
  readonly event: string;
  /** When the function is stopped, in milliseconds since 1970. */
  readonly deadline: number;
}

/** What the worker sends back: the result as JSON, or the error that the handler threw. */
export type Outcome =
  | { readonly type: 'result'; readonly payload: string }
  | { readonly type: 'error'; readonly errorType: string };

/**
 * Invokes a function by its logical id.
 * @param requestId the invocation's id in the function's log, a new one by default
 * @throws {InvocationError} when the function returned no result
 */
export type Invoke = (functionId: string, event: unknown, requestId?: string) => Promise<unknown>;

/** A function returned no result. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError';
  readonly kind: 'crashed' | 'timed-out' | 'response-too-large';

  constructor(kind: InvocationError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
