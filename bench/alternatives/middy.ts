import middy, { type Request } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import { createError } from '@middy/util';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpEvent } from '../../functions/http/operation.ts';
import { errorResponse } from './error-response.ts';
import { listPlants } from './list-plants.ts';
import { readItems } from './read-items.ts';

/** As in https://middy.js.org/docs/middlewares/http-error-handler. */
export const handler = middy<HttpEvent, APIGatewayProxyStructuredResultV2>()
  .use(httpErrorHandler())
  .onError((request: Request) => {
    const { statusCode, body } = errorResponse(request.error);
    request.error = createError(statusCode, JSON.stringify(body));
  })
  .handler(async (event: HttpEvent): Promise<APIGatewayProxyStructuredResultV2> => {
    const limits = new URLSearchParams(event.rawQueryString).getAll('limit');
    const plants = await listPlants(readItems, event.requestContext?.authorizer?.lambda, limits);
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(plants),
    };
  });
