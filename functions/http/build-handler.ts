import middy, { type MiddyfiedHandler, type MiddyHandlerObject } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { Context } from 'aws-lambda';
import { type CatalogueEntry, commonErrors, ServiceError } from '../shared/errors.ts';
import { errorBody } from './error-body.ts';
import type { Dependencies, HttpEvent, HttpResult, Respond } from './operation.ts';

/**
 * How long before the function's timeout the handler starts to respond, in milliseconds. Work in progress
 * can delay it by 0.4 s at Lambda's share of a processor, so it responds within 8.5 s of the 10 s timeout.
 */
export const respondBeforeTimeout = 1900;

/**
 * Binds an operation to Lambda. The handler never rejects: it returns a result or an Error body.
 * @param deadlineExceeded the error when the result is not ready in time
 */
export const buildHandler = (
  respond: Respond,
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
    // middy runs error middlewares in reverse order.
    .use(httpErrorHandler({ logger: false }))
    .use(errorBody(dependencies.log));
