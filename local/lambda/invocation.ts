/** What the service asks a worker to run. */
export interface Invocation {
  readonly requestId: string;
  /** The event as JSON, as Lambda passes it. */
  readonly event: string;
  /** When the function is stopped, in milliseconds since 1970. */
  readonly deadline: number;
}

/** A worker's answer: the result as JSON, or what the handler threw. */
export type Outcome =
  | { readonly type: 'result'; readonly payload: string }
  | { readonly type: 'error'; readonly errorType: string };
