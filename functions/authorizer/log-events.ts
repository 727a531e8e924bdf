import type { WarmUpFailed } from '../runtime/log-events.ts';
import type { DenialReason } from './denial.ts';

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
