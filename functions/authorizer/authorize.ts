import type { APIGatewaySimpleAuthorizerWithContextResult } from 'aws-lambda';
import type { CompactVerifyGetKey } from 'jose';
import type { CallerContext } from '../shared/caller-context.ts';
import { bearerToken } from './bearer-token.ts';
import { callerOf } from './claims.ts';
import { Denied } from './denied.ts';
import type { Log } from './log.ts';
import { verifyToken } from './signed-token.ts';
import type { TokenPolicy } from './token-policy.ts';

export interface Dependencies {
  readonly policy: TokenPolicy;
  readonly getKey: CompactVerifyGetKey;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** The gateway's simple response: allowed, with the caller's context, or denied. */
export type Decision =
  APIGatewaySimpleAuthorizerWithContextResult<CallerContext> | { readonly isAuthorized: false };

/**
 * Decides whether to allow the bearer of this Authorization header.
 * @throws {JwksUnavailable} when no decision is possible; the gateway would cache a denial
 */
export const authorize = async (
  { policy, getKey, now, log }: Dependencies,
  authorization: string,
): Promise<Decision> => {
  try {
    const token = bearerToken(authorization);
    const signed = await verifyToken(token, policy.algorithms, getKey);
    return { isAuthorized: true, context: callerOf(signed, policy, now()) };
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    log.info({ event: 'denied', reason: error.reason, kid: error.kid });
    return { isAuthorized: false };
  }
};
