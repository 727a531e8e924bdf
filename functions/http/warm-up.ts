import { dummyPrincipal } from '../../table/principal.ts';
import { errorName } from '../runtime/error-name.ts';
import type { OperationLog, Respond } from './build-handler.ts';
import type { Caller } from './caller-context.ts';
import { isRetryable, ServiceError } from './service-error.ts';
import type { HttpEvent } from './payload-format.ts';
import { unexpectedErrors } from './unexpected-errors.ts';

/** Milliseconds until a warm-up is abandoned. */
const timeout = 1000;

const dummyCaller: Caller = { subject: dummyPrincipal, groups: [], expiresAt: Number.MAX_SAFE_INTEGER };

/**
 * Responds to an event of a dummy caller once, so that the first request finds an open connection and loaded
 * code. It never rejects.
 */
export const warmConnection = async <Dependencies extends OperationLog>(
  respond: Respond<Dependencies>,
  dependencies: Dependencies,
  event: Omit<HttpEvent, 'requestContext'>,
): Promise<void> => {
  try {
    const requestContext = { authorizer: { lambda: dummyCaller } };
    await respond(dependencies, { ...event, requestContext }, AbortSignal.timeout(timeout));
  } catch (error) {
    // For a caller without plants, an operation may throw an error of the request (1xxx). The connection is
    // warm then, so the warm-up has not failed.
    if (error instanceof ServiceError && !isRetryable(error.entry.error)) return;
    const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
    dependencies.log.warn({ event: 'warm-up-failed', cause: errorName(cause) });
    if (!(error instanceof ServiceError)) unexpectedErrors.publish(error);
  }
};
