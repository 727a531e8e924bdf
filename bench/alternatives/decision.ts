import { callerIdOf } from '../../functions/authorizer/authorize.ts';
import type { Decision } from '../../functions/authorizer/authorize.ts';
import { parseCaller } from '../../functions/shared/caller-context.ts';

/** The claims of a verified token that are passed to the gateway. */
export interface Claims {
  readonly exp?: number | undefined;
  readonly iss?: string | undefined;
  readonly sub?: string | undefined;
  readonly groups?: unknown;
}

/** Allows the caller of a verified token. */
export const decisionFor = ({ exp, iss = '', sub, groups }: Claims): Decision => {
  const caller = parseCaller({ expiresAt: exp, subject: sub, groups });
  if (caller === undefined) return { isAuthorized: false };
  const callerId = callerIdOf(process.env['CALLER_ID_SALT'] ?? '', iss, caller.subject);
  return { isAuthorized: true, context: { ...caller, callerId } };
};
