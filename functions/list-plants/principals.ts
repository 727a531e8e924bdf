import { type Principal, principalOf } from '../../table/principal.ts';
import { parseCaller } from '../shared/caller-context.ts';
import { catalogue, ServiceError } from './errors.ts';

/**
 * The principals of the caller in the authorizer's context, each once.
 * The gateway caches the authorizer's response, so the token may have expired since: its expiry is checked again.
 * @param now milliseconds since 1970
 * @throws {ServiceError} 1004 when the context is missing or malformed or its token has expired, so that a
 * gateway without an authorizer lets no request through
 */
export const principalsOf = (context: unknown, now: number): readonly Principal[] => {
  const caller = parseCaller(context);
  if (caller === undefined || caller.expiresAt * 1000 <= now) throw new ServiceError(catalogue.noCaller);
  const { subject, groups } = caller;
  return [principalOf('user', subject), ...new Set(groups.map((group) => principalOf('group', group)))];
};
