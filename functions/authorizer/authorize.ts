import type { APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import type { CallerContext } from '../shared/caller-context.ts';
import { bearerToken } from './bearer-token.ts';
import { callerIdOf } from '../../table/caller-id.ts';
import { callerOf } from './claims.ts';
import { Denied } from './denied.ts';
import { type Jwks, JwksUnavailable } from './keys/jwks.ts';
import type { Log } from './log.ts';
import { verifyToken } from './signed-token.ts';
import type { TokenPolicy } from './token-policy.ts';

export interface Dependencies {
  readonly policy: TokenPolicy;
  /** The salt of `callerId` in this stage. */
  readonly callerIdSalt: string;
  readonly jwks: Jwks;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** The gateway's simple response: allowed, with the caller's context, or denied. */
export type Decision =
  APIGatewaySimpleAuthorizerWithContextResult<CallerContext> | { readonly isAuthorized: false };

/**
 * Decides whether to allow the bearer of this Authorization header.
 * @param gatewayRequestId the request's id in the gateway, for the log
 * @throws {JwksUnavailable} when no decision is possible; the gateway would cache a denial
 */
export const authorize = async (
  { policy, callerIdSalt, jwks, now, log }: Dependencies,
  authorization: string,
  gatewayRequestId?: string,
): Promise<Decision> => {
  try {
    const token = bearerToken(authorization);
    const signed = await verifyToken(token, policy.algorithms, jwks);
    const caller = callerOf(signed, policy, now());
    const callerId = callerIdOf(callerIdSalt, policy.issuer, caller.subject);
    return { isAuthorized: true, context: { ...caller, callerId } };
  } catch (error) {
    if (!(error instanceof Denied)) {
      const cause = error instanceof Error ? error.name : typeof error;
      const reason = error instanceof JwksUnavailable ? error.reason : undefined;
      log.error({ event: 'undecided', cause, reason, gatewayRequestId });
      throw error;
    }
    log.info({ event: 'denied', reason: error.reason, kid: error.kid, gatewayRequestId });
    return { isAuthorized: false };
  }
};
