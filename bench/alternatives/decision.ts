import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import type { Decision } from '../../functions/authorizer/authorize.ts';
import { callerIdOf, parseCaller } from '../../functions/http/caller-context.ts';

/** The claims of a verified token that a decision depends on. */
interface Claims {
  readonly exp?: number;
  readonly iss?: string;
  readonly sub?: string;
  readonly groups?: unknown;
}

/**
 * An authorizer around a library, so that the alternatives differ only in the library.
 * @param verify rejects for an invalid token
 */
export const authorizerWith =
  (verify: (token: string) => Promise<Claims>) =>
  async ({ identitySource }: APIGatewayRequestAuthorizerEventV2): Promise<Decision> => {
    const token = /^Bearer (.+)$/.exec(identitySource[0] ?? '')?.[1] ?? '';
    try {
      const { exp, iss = '', sub, groups } = await verify(token);
      const caller = parseCaller({ expiresAt: exp, subject: sub, groups });
      if (caller === undefined) return { isAuthorized: false };
      const callerId = callerIdOf(process.env['CALLER_ID_SALT'] ?? '', iss, caller.subject);
      return { isAuthorized: true, context: { ...caller, callerId } };
    } catch {
      return { isAuthorized: false };
    }
  };
