import type { MiddlewareObj } from '@middy/core';
import { catalogue, type CatalogueEntry, ServiceError } from './errors.ts';
import type { Log } from './log.ts';
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
    log.error({ event: 'request-failed', error, ...describe(cause) });
  } else {
    log.info({ event: 'request-failed', error });
  }
};

/** Names, codes and stack frames; never a message, which can quote what was sent or stored. */
const describe = (cause: unknown): { cause?: string; stack?: readonly string[] } => {
  if (cause === undefined) return {};
  if (!(cause instanceof Error)) return { cause: typeof cause };
  const code = 'code' in cause && typeof cause.code === 'string' ? ` ${cause.code}` : '';
  return {
    cause: `${cause.name}${code}`,
    stack: (cause.stack ?? '').split('\n').flatMap((line) => (/^\s+at /.test(line) ? [line.trim()] : [])),
  };
};
