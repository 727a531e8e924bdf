import { dummyPrincipal } from '../../table/principal.ts';
import type { PlantStore } from '../plant-store/plant-store.ts';
import { isRetryable, ServiceError } from './errors.ts';
import { errorName } from '../runtime/error-name.ts';
import type { Dependencies, HttpEvent, Respond } from './payload-format.ts';
import { unexpectedErrors } from './unexpected-errors.ts';

/** Milliseconds until a warm-up is abandoned. */
const timeout = 1000;

/**
 * Responds to an event once, so that the first request finds an open connection and loaded code. Each of the
 * operation's reads is a query of an empty dummy partition. It never rejects.
 */
export const warmConnection = async (
  respond: Respond,
  { store, now, log }: Dependencies,
  event: Omit<HttpEvent, 'requestContext'>,
): Promise<void> => {
  const dummyStore: PlantStore = {
    read: (query, signal) => store.read({ ...query, principal: dummyPrincipal }, signal),
  };
  const caller = { subject: dummyPrincipal, groups: [], expiresAt: Number.MAX_SAFE_INTEGER };
  try {
    await respond(
      { store: dummyStore, now, log },
      { ...event, requestContext: { authorizer: { lambda: caller } } },
      AbortSignal.timeout(timeout),
    );
  } catch (error) {
    // An operation may respond with an error to a caller without plants.
    if (error instanceof ServiceError && !isRetryable(error.entry.error)) return;
    const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
    log.warn({ event: 'warm-up-failed', cause: errorName(cause) });
    if (!(error instanceof ServiceError)) unexpectedErrors.publish(error);
  }
};
