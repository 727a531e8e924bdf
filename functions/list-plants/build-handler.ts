import middy, { type MiddyfiedHandler, type MiddyHandlerObject } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { errorBody } from './http/error-body.ts';
import { catalogue, ServiceError } from './errors.ts';
import { type Dependencies as Operation, listPlants } from './list-plants.ts';
import { type ListEvent, parseListRequest } from './http/list-request.ts';
import { pageResponse } from './http/page-response.ts';

export interface Dependencies extends Operation {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How long before the function's own timeout the caller is answered, in milliseconds: enough for a busy machine. */
export const answerBeforeTimeout = 1500;

/** Binds the operation to HTTP: event in, page or Error body out; it never rejects. */
export const buildHandler = ({
  now,
  ...operation
}: Dependencies): MiddyfiedHandler<ListEvent, APIGatewayProxyStructuredResultV2> =>
  middy<ListEvent, APIGatewayProxyStructuredResultV2>(
    async (event: ListEvent, _context: Context, { signal }: MiddyHandlerObject) => {
      const request = parseListRequest(event, now());
      return pageResponse(await listPlants(operation, request, signal), request);
    },
    {
      timeoutEarlyInMillis: answerBeforeTimeout,
      timeoutEarlyResponse: () => {
        throw new ServiceError(catalogue.deadlineExceeded);
      },
    },
  )
    // Error middlewares run last to first.
    .use(httpErrorHandler({ logger: false }))
    .use(errorBody(operation.log));
