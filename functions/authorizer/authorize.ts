import type { APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import { type CallerContext, callerIdOf } from '../http/caller-context.ts';
import { errorName } from '../runtime/error-name.ts';
import type { Log } from '../runtime/log-events.ts';
import { bearerTokenIn } from './bearer-token.ts';
import { callerOf } from './claims.ts';
import { Denied } from './denial.ts';
import type { JwksCache } from './jwks-cache.ts';
import type { AuthorizerLogEntry } from './log-events.ts';
import type { TokenPolicy } from './token-policy.ts';
import { verifyToken } from './verify-token.ts';

export interface AuthorizerDependencies {
  readonly policy: TokenPolicy;
  readonly callerIdSalt: string;
  readonly jwks: JwksCache;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log<AuthorizerLogEntry>;
}

/** The fields of the gateway's event (payload format 2.0) that are read. Emulators may omit them. */
export interface AuthorizerEvent {
  readonly identitySource?: readonly string[];
  readonly requestContext?: { readonly requestId: string };
}

/** The authorizer's simple response to the gateway: allowed with the caller's context, or denied. */
export type Decision =
  APIGatewaySimpleAuthorizerWithContextResult<CallerContext> | { readonly isAuthorized: false };

/**
 * Allows or denies a request by the bearer token in its Authorization header.
 * @throws {Error} when no decision is possible. It throws rather than denies, because the gateway caches
 * denials but not errors.
 */
export const authorize = async (
  { policy, callerIdSalt, jwks, now, log }: AuthorizerDependencies,
  { identitySource, requestContext }: AuthorizerEvent,
): Promise<Decision> => {
  const gatewayRequestId = requestContext?.requestId;
  try {
    const token = bearerTokenIn(identitySource?.[0] ?? '');
    const claims = await verifyToken(token, policy, jwks, now());
    const caller = callerOf(claims, policy, now());
    const callerId = callerIdOf(callerIdSalt, policy.issuer, caller.subject);
    return { isAuthorized: true, context: { ...caller, callerId } };
  } catch (error) {
    if (!(error instanceof Denied)) {
      log.error({ event: 'undecided', cause: errorName(error), gatewayRequestId });
      throw error;
    }
    log.info({ event: 'denied', reason: error.reason, kid: error.kid, gatewayRequestId });
    return { isAuthorized: false };
  }
};
