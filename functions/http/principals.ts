import { type Principal, principalOf } from '../../table/principal.ts';
import { parseCaller } from './caller-context.ts';
import { commonErrors } from './common-errors.ts';
import { ServiceError } from './service-error.ts';
import type { HttpEvent } from './payload-format.ts';

/**
 * The principals of an event's caller, each once: the user, then the groups in the token's order.
 * The gateway caches the authorizer's response, so the token's expiry is checked again.
 * @param now milliseconds since 1970
 * @throws {ServiceError} 1004 when the token has expired, or the context is malformed or missing, as in a
 * gateway without an authorizer
 */
export const principalsOf = (
  { requestContext }: HttpEvent,
  now: number,
): readonly [user: Principal, ...groups: Principal[]] => {
  const caller = parseCaller(requestContext?.authorizer?.lambda);
  if (caller === undefined || caller.expiresAt * 1000 <= now) throw new ServiceError(commonErrors.noCaller);
  const { subject, groups } = caller;
  return [principalOf('user', subject), ...new Set(groups.map((group) => principalOf('group', group)))];
};
