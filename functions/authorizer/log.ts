import type { DenialReason } from './denied.ts';

/** Everything the authorizer writes to its log. No entry holds a token or a claim. */
export type LogEntry =
  | {
      readonly event: 'denied';
      readonly reason: DenialReason;
      readonly kid?: string | undefined;
      /** The request's id in the gateway, which the access log and the caller have. */
      readonly gatewayRequestId?: string | undefined;
    }
  /** No decision was possible. The error has a line of its own, with the same `requestId`. */
  | {
      readonly event: 'undecided';
      readonly cause: string;
      /** The key set could not be fetched, and the copy does not have the token's key. */
      readonly reason?: 'unknown-key' | undefined;
      readonly gatewayRequestId?: string | undefined;
    }
  /** The key set could not be fetched before the first request. */
  | { readonly event: 'warm-up-failed'; readonly cause: string }
  /** The key set could not be fetched; an older copy is used. */
  | { readonly event: 'key-set-refresh-failed'; readonly ageSeconds: number; readonly cause: string }
  /** The key set could not be fetched, and there is no copy to use. */
  | { readonly event: 'key-set-unavailable'; readonly cause: string };

/** A destination of log entries, such as `console`, which writes each as a line of JSON in Lambda's JSON log format. */
export interface Log {
  readonly info: (entry: LogEntry) => void;
  readonly warn: (entry: LogEntry) => void;
  readonly error: (entry: LogEntry) => void;
}
