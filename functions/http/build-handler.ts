import middy, { type MiddyfiedHandler, type MiddyHandlerObject, type MiddlewareObj } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { Context } from 'aws-lambda';
import { errorName } from '../runtime/error-name.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import { commonErrors } from './common-errors.ts';
import { type CatalogueEntry, isRetryable, ServiceError } from './service-error.ts';
import { noStore } from './json-response.ts';
import type { HttpEvent, HttpResult } from './payload-format.ts';
import { stackFrames } from './stack-frames.ts';
import { unexpectedErrors } from './unexpected-errors.ts';

/**
 * An operation of the API, which responds to an event of the gateway.
 * @param signal aborts the operation's reads when its time is over
 * @throws {ServiceError} the error that the caller gets in place of the result
 */
export type Respond<Dependencies> = (
  dependencies: Dependencies,
  event: HttpEvent,
  signal: AbortSignal,
) => Promise<HttpResult>;

/** The log, which every operation has among its dependencies. */
export interface OperationLog {
  readonly log: Log<OperationLogEntry>;
}

/**
 * How long before the function's timeout the handler starts to respond, in milliseconds. With a timeout of
 * 10 s, that is after 8.1 s, above three attempts at the store with their pauses (3 × 2 + 0.5 + 1 = 7.5 s).
 * Work in progress can delay the response by 0.4 s at Lambda's share of a processor. So the response leaves
 * after at most 8.1 + 0.4 = 8.5 s, well before Lambda ends the function at 10 s.
 */
export const respondBeforeTimeout = 1900;

/**
 * Binds an operation to Lambda. The handler never rejects: it returns a result or an Error body.
 * @param deadlineExceeded the error when the result is not ready in time
 */
export const buildHandler = <Dependencies extends OperationLog>(
  respond: Respond<Dependencies>,
  dependencies: Dependencies,
  deadlineExceeded: CatalogueEntry = commonErrors.deadlineExceeded,
): MiddyfiedHandler<HttpEvent, HttpResult> =>
  middy<HttpEvent, HttpResult>(
    (event: HttpEvent, _context: Context, { signal }: MiddyHandlerObject) =>
      respond(dependencies, event, signal),
    {
      timeoutEarlyInMillis: respondBeforeTimeout,
      timeoutEarlyResponse: () => {
        throw new ServiceError(deadlineExceeded);
      },
    },
  )
    // middy runs error middlewares in reverse order, so an error is converted before it is rendered.
    .use(httpErrorHandler({ logger: false }))
    .use(logAndConvertErrors(dependencies));

/** Middleware that logs any error, and converts it into one that `@middy/http-error-handler` renders. */
const logAndConvertErrors = ({ log }: OperationLog): MiddlewareObj => ({
  onError: (request) => {
    const { entry, cause } =
      request.error instanceof ServiceError
        ? request.error
        : new ServiceError(commonErrors.unexpected, { cause: request.error });
    const isUnexpected = entry.error === commonErrors.unexpected.error;
    log[isRetryable(entry.error) ? 'error' : 'info']({
      event: 'request-failed',
      error: entry.error,
      // Errors of the request and a missed deadline have no cause.
      cause: cause === undefined ? undefined : errorName(cause),
      stack: isUnexpected ? stackFrames(cause) : undefined,
    });
    if (isUnexpected) unexpectedErrors.publish(cause ?? request.error);
    request.error = httpError(entry);
  },
});

/**
 * An error whose message `@middy/http-error-handler` sends as the body, with the content type of JSON because
 * the message starts with a brace.
 */
const httpError = ({ error, statusCode, message }: CatalogueEntry): Error =>
  Object.assign(new Error(JSON.stringify({ error, message })), {
    statusCode,
    headers: {
      ...noStore,
      ...(isRetryable(error) && { 'Retry-After': '1' }),
      ...(statusCode === 401 && { 'WWW-Authenticate': 'Bearer' }),
    },
  });
