import middy, { type MiddyfiedHandler, type MiddyHandlerObject } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { errorBody } from './error-body.ts';
import { catalogue, ServiceError } from '../shared/errors.ts';
import { type Dependencies as Operation, listPlants } from '../list-plants/list-plants.ts';
import { type ListEvent, parseListRequest } from '../list-plants/list-request.ts';
import { maxResponseBytes, pageResponse } from '../list-plants/page-response.ts';

export interface Dependencies extends Operation {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * How long before the function's timeout it begins to respond, in milliseconds. At its share of a processor, what is in
 * progress takes up to 0.4 s more, and the response must leave 8.5 s after the start.
 */
export const respondBeforeTimeout = 1900;

/**
 * Responds to an event of the gateway.
 * @param signal ends the reading
 * @throws {ServiceError} what the caller is told instead of a page
 */
export const respond = async (
  { now, ...operation }: Dependencies,
  event: ListEvent,
  signal: AbortSignal,
): Promise<APIGatewayProxyStructuredResultV2> => {
  const request = parseListRequest(event, now());
  const query = { ...request, maxBytes: maxResponseBytes };
  return pageResponse(await listPlants(operation, query, signal), request);
};

/** Binds the operation to HTTP. The handler never rejects: it returns a page or an Error body. */
export const buildHandler = (
  dependencies: Dependencies,
): MiddyfiedHandler<ListEvent, APIGatewayProxyStructuredResultV2> =>
  middy<ListEvent, APIGatewayProxyStructuredResultV2>(
    (event: ListEvent, _context: Context, { signal }: MiddyHandlerObject) =>
      respond(dependencies, event, signal),
    {
      timeoutEarlyInMillis: respondBeforeTimeout,
      timeoutEarlyResponse: () => {
        throw new ServiceError(catalogue.deadlineExceeded);
      },
    },
  )
    // middy runs error middlewares in reverse order.
    .use(httpErrorHandler({ logger: false }))
    .use(errorBody(dependencies.log));
