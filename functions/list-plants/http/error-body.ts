import type { MiddlewareObj } from '@middy/core';
import { catalogue, type CatalogueEntry, ServiceError } from '../errors.ts';
import type { Log } from '../log.ts';
import { noStore } from './no-store.ts';

/** Middleware that turns anything thrown into the error that `@middy/http-error-handler` renders as the Error body. */
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

/** The error shape of `@middy/http-error-handler`: its message becomes the body, as JSON when it starts with a brace. */
const httpError = ({ error, statusCode, message }: CatalogueEntry): Error =>
  Object.assign(new Error(JSON.stringify({ error, message })), {
    statusCode,
    headers: {
      ...noStore,
      ...(isWorthARetry(error) && { 'Retry-After': '1' }),
      ...(statusCode === 401 && { 'WWW-Authenticate': 'Bearer' }),
    },
  });

const isWorthARetry = (error: number): boolean => error >= 2000;

const logFailure = (log: Log, { entry: { error }, cause }: ServiceError): void => {
  if (isWorthARetry(error)) {
    const stack = error === catalogue.unexpected.error ? framesOf(cause) : undefined;
    log.error({ event: 'request-failed', error, cause: nameOf(cause), stack });
  } else {
    log.info({ event: 'request-failed', error });
  }
};

/** An error's name and system code, never its message, which can quote what was sent or stored. */
const nameOf = (cause: unknown): string | undefined => {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : typeof cause;
  return 'code' in cause && typeof cause.code === 'string' ? `${cause.name} ${cause.code}` : cause.name;
};

/** The frames of a stack: what follows the message, which it repeats. */
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
