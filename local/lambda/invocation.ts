/** One invocation of a function, as sent to its worker. */
export interface Invocation {
  readonly requestId: string;
  /** As JSON, as Lambda passes it. Undefined for a warm-up, which only waits until the function is loaded. */
  readonly event: string | undefined;
  /** When the function is stopped, in milliseconds since 1970. */
  readonly deadline: number;
}

/** The worker's reply: the result as JSON, or the name of the error that the handler threw. */
export type Outcome =
  | { readonly type: 'result'; readonly payload: string }
  | { readonly type: 'error'; readonly errorType: string };

/** A function threw, ended, timed out or returned too much. If it threw, the message is the error's name. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError';
}
