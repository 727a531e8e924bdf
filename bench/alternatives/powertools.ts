import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { Context } from 'aws-lambda';
import { ServiceError } from '../../functions/shared/errors.ts';
import { errorResponse } from './error-response.ts';
import { listPlants } from './list-plants.ts';
import { readItems } from './read-items.ts';

/** As in https://docs.aws.amazon.com/powertools/typescript/latest/features/event-handler/http. */
const app = new Router();

app.get('/plants', async ({ req, event }) => {
  const limits = new URL(req.url).searchParams.getAll('limit');
  return Response.json(await listPlants(readItems, callerOf(event), limits));
});

app.errorHandler(ServiceError, (error) => {
  const { statusCode, body } = errorResponse(error);
  return Promise.resolve(Response.json(body, { status: statusCode }));
});

/** The router's event type has no Lambda authorizer. */
const callerOf = ({ requestContext }: { readonly requestContext: object }): unknown => {
  const authorizer: unknown = 'authorizer' in requestContext ? requestContext.authorizer : undefined;
  return typeof authorizer === 'object' && authorizer !== null && 'lambda' in authorizer
    ? authorizer.lambda
    : undefined;
};

export const handler = async (event: unknown, context: Context): Promise<unknown> =>
  app.resolve(event, context);
