import type { DenialReason } from './denied.ts';

/** Everything the authorizer writes to its log; none of it holds a token or a claim. */
export type LogEntry =
  | { readonly event: 'denied'; readonly reason: DenialReason; readonly kid?: string | undefined }
  /** The issuer did not answer; an older copy of its keys decides. */
  | { readonly event: 'key-set-refresh-failed'; readonly ageSeconds: number; readonly cause: string }
  /** The issuer did not answer, and there is no copy to decide with. */
  | { readonly event: 'key-set-unavailable'; readonly cause: string };

/** Where entries go. `console` is one: with Lambda's JSON log format it writes an entry as one JSON line. */
export interface Log {
  readonly info: (entry: LogEntry) => void;
  readonly warn: (entry: LogEntry) => void;
  readonly error: (entry: LogEntry) => void;
}
