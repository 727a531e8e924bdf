import middy, { type MiddyfiedHandler, type MiddyHandlerObject, type MiddlewareObj } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { Context } from 'aws-lambda';
import { type CatalogueEntry, commonErrors, isRetryable, ServiceError } from './errors.ts';
import { errorName } from '../runtime/error-name.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import { noStore } from './json-response.ts';
import type { Dependencies, HttpEvent, HttpResult, Respond } from './payload-format.ts';
import { unexpectedErrors } from './unexpected-errors.ts';

/**
 * How long before the function's timeout the handler starts to respond, in milliseconds. Work in progress
 * can delay it by 0.4 s at Lambda's share of a processor, so it responds within 8.5 s of the 10 s timeout.
 */
export const respondBeforeTimeout = 1900;

/**
 * Binds an operation to Lambda. The handler never rejects: it returns a result or an Error body.
 * @param deadlineExceeded the error when the result is not ready in time
 */
export const buildHandler = <Needed extends Pick<Dependencies, 'log'>>(
  respond: Respond<Needed>,
  dependencies: Needed,
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
    // middy runs error middlewares in reverse order.
    .use(httpErrorHandler({ logger: false }))
    .use(errorBody(dependencies.log));

/** Middleware that converts any error into one that `@middy/http-error-handler` renders. */
const errorBody = (log: Log<OperationLogEntry>): MiddlewareObj => ({
  onError: (request) => {
    const failure =
      request.error instanceof ServiceError
        ? request.error
        : new ServiceError(commonErrors.unexpected, { cause: request.error });
    logFailure(log, failure);
    if (failure.entry.error === commonErrors.unexpected.error)
      unexpectedErrors.publish(failure.cause ?? failure);
    request.error = httpError(failure.entry);
  },
});

/** `@middy/http-error-handler` sends the message as the body: as JSON, because it starts with a brace. */
const httpError = ({ error, statusCode, message }: CatalogueEntry): Error =>
  Object.assign(new Error(JSON.stringify({ error, message })), {
    statusCode,
    headers: {
      ...noStore,
      ...(isRetryable(error) && { 'Retry-After': '1' }),
      ...(statusCode === 401 && { 'WWW-Authenticate': 'Bearer' }),
    },
  });

const logFailure = (log: Log<OperationLogEntry>, { entry: { error }, cause }: ServiceError): void => {
  log[isRetryable(error) ? 'error' : 'info']({
    event: 'request-failed',
    error,
    // A missed deadline has no cause, nor has an error of the request.
    cause: cause === undefined ? undefined : errorName(cause),
    stack: error === commonErrors.unexpected.error ? framesOf(cause) : undefined,
  });
};

/** The frames of an error's stack, without its message, which can quote data. */
const framesOf = (cause: unknown): readonly string[] | undefined => {
  if (!(cause instanceof Error) || cause.stack === undefined) return undefined;
  const { message, stack } = cause;
  const start = stack.indexOf(message);
  // If the message was changed, the stack has the earlier one, which cannot be told from frames.
  return start === -1 ? undefined : (stack.slice(start + message.length).match(/(?<=^\s+)at .*/gm) ?? []);
};
