import { nobody } from '../../table/principal.ts';
import { errorText } from '../shared/error-text.ts';
import { type Dependencies, respond } from './build-handler.ts';

/** In milliseconds. What takes longer is left to the first request. */
const timeout = 1000;

/**
 * Walks the path of a request once, so that the first one finds an open connection and loaded code: a request for the
 * plants of nobody. It never rejects.
 */
export const warmConnection = async ({ store, now, log }: Dependencies): Promise<void> => {
  const caller = { subject: nobody, groups: [], expiresAt: Number.MAX_SAFE_INTEGER };
  try {
    await respond(
      {
        store: { readPage: (query, signal) => store.readPage({ ...query, principal: nobody }, signal) },
        now,
        log,
      },
      { rawQueryString: 'limit=1', requestContext: { authorizer: { lambda: caller } } },
      AbortSignal.timeout(timeout),
    );
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    log.warn({ event: 'warm-up-failed', cause: errorText(cause) });
  }
};
