import type { MiddlewareObj } from '@middy/core';
import { codeOf } from '../../../table/error-codes.ts';
import { catalogue, type CatalogueEntry, ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import { noStore } from './no-store.ts';

/** Middleware that converts anything thrown into the error that `@middy/http-error-handler` renders as the Error body. */
export const errorBody = (log: Log): MiddlewareObj => ({
  onError: (request) => {
    const failure =
      request.error instanceof ServiceError
        ? request.error
        : new ServiceError(catalogue.unexpected, { cause: request.error });
    logFailure(log, failure);
    request.error = httpError(failure.entry);
  },
});

/** The error that `@middy/http-error-handler` expects: its message becomes the body, sent as JSON when it starts with a brace. */
const httpError = ({ error, statusCode, message }: CatalogueEntry): Error =>
  Object.assign(new Error(JSON.stringify({ error, message })), {
    statusCode,
    headers: {
      ...noStore,
      ...(isRetryable(error) && { 'Retry-After': '1' }),
      ...(statusCode === 401 && { 'WWW-Authenticate': 'Bearer' }),
    },
  });

const isRetryable = (error: number): boolean => error >= 2000;

const logFailure = (log: Log, { entry: { error }, cause }: ServiceError): void => {
  if (isRetryable(error)) {
    const stack = error === catalogue.unexpected.error ? framesOf(cause) : undefined;
    log.error({ event: 'request-failed', error, cause: causeText(cause), stack });
  } else {
    log.info({ event: 'request-failed', error });
  }
};

/** An error's name and code, never its message, which can quote what was sent or stored. */
const causeText = (cause: unknown): string | undefined => {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : typeof cause;
  return [cause.name, codeOf(cause)].filter((part) => part !== undefined).join(' ');
};

/** The frames of a stack, without the message that stands before them. */
const framesOf = (cause: unknown): readonly string[] | undefined => {
  if (!(cause instanceof Error) || cause.stack === undefined) return undefined;
  const { message, stack } = cause;
  const start = stack.indexOf(message);
  return start === -1
    ? undefined
    : stack
        .slice(start + message.length)
        .split('\n')
        .flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : []));
};
