import middy, { type Request } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import { createError } from '@middy/util';
import type { HttpEvent, HttpResult } from '../../functions/http/payload-format.ts';
import { errorResponse, listPlants } from './list-plants.ts';

/** As in https://middy.js.org/docs/middlewares/http-error-handler. */
export const handler = middy<HttpEvent, HttpResult>()
  .use(httpErrorHandler())
  .onError((request: Request) => {
    const { statusCode, body } = errorResponse(request.error);
    request.error = createError(statusCode, JSON.stringify(body));
  })
  .handler(async (event: HttpEvent): Promise<HttpResult> => {
    const limits = new URLSearchParams(event.rawQueryString).getAll('limit');
    const plants = await listPlants(event.requestContext?.authorizer?.lambda, limits);
    return {
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(plants),
    };
  });
