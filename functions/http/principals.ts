import { type Principal, principalOf } from '../../table/principal.ts';
import { parseCaller } from '../shared/caller-context.ts';
import { commonErrors, ServiceError } from '../shared/errors.ts';
import type { HttpEvent } from './operation.ts';

/**
 * The principals of an event's caller, each once: the user, then the groups in the token's order.
 * The gateway caches the authorizer's response, so the token may have expired since: its expiry is checked again.
 * @param now milliseconds since 1970
 * @throws {ServiceError} 1004 when the authorizer's context is missing or malformed or its token has expired, so that a
 * gateway without an authorizer lets no request through
 */
export const principalsOf = ({ requestContext }: HttpEvent, now: number): readonly Principal[] => {
  const caller = parseCaller(requestContext?.authorizer?.lambda);
  if (caller === undefined || caller.expiresAt * 1000 <= now) throw new ServiceError(commonErrors.noCaller);
  const { subject, groups } = caller;
  return [principalOf('user', subject), ...new Set(groups.map((group) => principalOf('group', group)))];
};
