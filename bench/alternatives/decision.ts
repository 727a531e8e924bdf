import type { Decision } from '../../functions/authorizer/authorize.ts';
import { isCallerContext } from '../../functions/shared/caller-context.ts';

/** The claims of a verified token that are passed to the gateway. */
export interface Claims {
  readonly exp?: number | undefined;
  readonly sub?: string | undefined;
  readonly groups?: unknown;
}

/** Allows the caller of a verified token. */
export const decisionFor = ({ exp, sub, groups }: Claims): Decision => {
  const context: unknown = { expiresAt: exp, subject: sub, groups };
  return isCallerContext(context) ? { isAuthorized: true, context } : { isAuthorized: false };
};
