import { isCallerContext } from '../shared/caller-context.ts';
import { catalogue, ServiceError } from './errors.ts';

/** A partition of the table: the plants granted to one user or to one group. */
export type Principal = `user#${string}` | `group#${string}`;

/**
 * Tells from the authorizer's context whose plants the caller may see, each principal once.
 * The gateway keeps an answer of the authorizer for a while, so a token can run out in between: its end is checked here again.
 * @param now milliseconds since 1970
 * @throws {ServiceError} 1004 when the context is missing, malformed or its token ran out: behind a gateway without
 * an authorizer, nobody is let in
 */
export const principalsOf = (context: unknown, now: number): readonly Principal[] => {
  if (!isCallerContext(context) || context.expiresAt * 1000 <= now)
    throw new ServiceError(catalogue.noCaller);
  const { subject, groups } = context;
  return [`user#${subject}`, ...new Set(groups.map((group): Principal => `group#${group}`))];
};
