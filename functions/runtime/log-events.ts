/** Denial reasons that need no signature by the issuer: anyone can cause them. */
type UnsignedTokenDenial =
  'not-a-bearer-token' | 'not-a-signed-token' | 'algorithm' | 'unknown-key' | 'signature';

/** Why the authorizer denies a token that the issuer signed. */
export const signedTokenDenials = [
  'issuer',
  'token-type',
  'key-bound',
  'audience',
  'client',
  'scope',
  'token-use',
  'lifetime',
  'subject',
  'groups',
] as const;

/** Why the authorizer denies a token. Of the token itself, only its `kid` is logged. */
export type DenialReason = UnsignedTokenDenial | (typeof signedTokenDenials)[number];

/** Everything the authorizer writes to its log. No entry holds a token or a claim. */
export type AuthorizerLogEntry =
  | {
      readonly event: 'denied';
      readonly reason: DenialReason;
      readonly kid?: string | undefined;
      /** The gateway's request id, as in the access log and the response's header `apigw-requestid`. */
      readonly gatewayRequestId?: string | undefined;
    }
  /** No decision was possible. Lambda also logs the thrown error, under the same Lambda `requestId`. */
  | {
      readonly event: 'undecided';
      readonly cause: string;
      readonly gatewayRequestId?: string | undefined;
    }
  | WarmUpFailed
  /** The key set could not be fetched; an older copy is kept. */
  | { readonly event: 'key-set-refresh-failed'; readonly ageSeconds: number; readonly cause: string }
  /** The key set could not be fetched, and there is no copy to use. */
  | { readonly event: 'key-set-unavailable'; readonly cause: string };

/** Everything an operation writes to its log. No entry holds a token, a claim or a plant name. */
export type OperationLogEntry =
  /** Damaged items were skipped. */
  | { readonly event: 'damaged-items'; readonly count: number }
  | WarmUpFailed
  /** The response to a request was an Error body. */
  | {
      readonly event: 'request-failed';
      /** The catalogue's error value. */
      readonly error: number;
      readonly cause?: string | undefined;
      /** Where an unexpected error was thrown. */
      readonly stack?: readonly string[] | undefined;
    };

/** The warm-up before the first request failed. */
interface WarmUpFailed {
  readonly event: 'warm-up-failed';
  readonly cause: string;
}

/** The names of all log events, which metric filters match. */
export type LogEvent = (AuthorizerLogEntry | OperationLogEntry)['event'];

/** A destination of log entries, such as `console` in Lambda's JSON log format. */
export type Log<Entry> = Readonly<Record<'info' | 'warn' | 'error', (entry: Entry) => void>>;
