import type { Decision } from '../../functions/authorizer/authorize.ts';
import { isCallerContext } from '../../functions/shared/caller-context.ts';

/** The claims of a verified token that the gateway is told. */
export interface Claims {
  readonly exp?: number | undefined;
  readonly sub?: string | undefined;
  readonly groups?: unknown;
}

/** Lets the caller in whom a verified token names. */
export const decisionFor = ({ exp, sub, groups }: Claims): Decision => {
  const context: unknown = { expiresAt: exp, subject: sub, groups };
  return isCallerContext(context) ? { isAuthorized: true, context } : { isAuthorized: false };
};
