import type { MiddlewareObj } from '@middy/core';
import { type CatalogueEntry, commonErrors, errorText, isRetryable, ServiceError } from '../shared/errors.ts';
import type { Log, OperationLogEntry } from '../shared/log-events.ts';
import { noStore } from './json-response.ts';

/** Middleware that converts any error into one that `@middy/http-error-handler` renders. */
export const errorBody = (log: Log<OperationLogEntry>): MiddlewareObj => ({
  onError: (request) => {
    const failure =
      request.error instanceof ServiceError
        ? request.error
        : new ServiceError(commonErrors.unexpected, { cause: request.error });
    logFailure(log, failure);
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
  if (isRetryable(error)) {
    const stack = error === commonErrors.unexpected.error ? framesOf(cause) : undefined;
    // A missed deadline has no cause.
    const text = cause === undefined ? undefined : errorText(cause);
    log.error({ event: 'request-failed', error, cause: text, stack });
  } else {
    log.info({ event: 'request-failed', error });
  }
};

/** A stack's frames without its message, which can quote data. */
const framesOf = (cause: unknown): readonly string[] | undefined => {
  if (!(cause instanceof Error) || cause.stack === undefined) return undefined;
  const { message, stack } = cause;
  const start = stack.indexOf(message);
  return start === -1 ? undefined : (stack.slice(start + message.length).match(/(?<=^\s+)at .*/gm) ?? []);
};
