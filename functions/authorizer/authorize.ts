import type { APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import { type CallerContext, callerIdOf } from '../http/caller-context.ts';
import { errorName } from '../runtime/error-name.ts';
import type { AuthorizerLogEntry, Log } from '../runtime/log-events.ts';
import { callerOf } from './claims.ts';
import { Denied } from './denial.ts';
import type { JwksCache } from './jwks-cache.ts';
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

/** The gateway's event (payload format 2.0), as far as it is read. Another gateway may omit any of it. */
export interface AuthorizerEvent {
  readonly identitySource?: readonly string[];
  readonly requestContext?: { readonly requestId: string };
}

/** The gateway's simple response: allowed, with the caller's context, or denied. */
export type Decision =
  APIGatewaySimpleAuthorizerWithContextResult<CallerContext> | { readonly isAuthorized: false };

/**
 * Allows or denies a request by the bearer token in its Authorization header.
 * @throws {Error} when no decision is possible: the gateway caches denials, but not errors
 */
export const authorize = async (
  { policy, callerIdSalt, jwks, now, log }: AuthorizerDependencies,
  { identitySource, requestContext }: AuthorizerEvent,
): Promise<Decision> => {
  const gatewayRequestId = requestContext?.requestId;
  try {
    const token = bearerToken(identitySource?.[0] ?? '');
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

const maxHeaderBytes = 8192;
const bearerCredentials = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the token (RFC 6750 section 2.1). The scheme is case-insensitive (RFC 9110 section 11.1).
 * @throws {Denied} unless the header is one bearer credential of at most 8,192 bytes
 */
const bearerToken = (header: string): string => {
  const token = header.length <= maxHeaderBytes ? bearerCredentials.exec(header)?.[1] : undefined;
  if (token === undefined) throw new Denied('not-a-bearer-token');
  return token;
};
