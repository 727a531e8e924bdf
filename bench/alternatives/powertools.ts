import { Router } from '@aws-lambda-powertools/event-handler/http';
import type { Context } from 'aws-lambda';
import { ServiceError } from '../../functions/http/service-error.ts';
import { isJsonObject } from '../../functions/runtime/json-object.ts';
import { errorResponse, listPlants } from './list-plants.ts';

/** As in https://docs.aws.amazon.com/powertools/typescript/latest/features/event-handler/http. */
const app = new Router();

app.get('/plants', async ({ req, event }) => {
  const limits = new URL(req.url).searchParams.getAll('limit');
  return Response.json(await listPlants(callerOf(event), limits));
});

app.errorHandler(ServiceError, (error) => {
  const { statusCode, body } = errorResponse(error);
  return Promise.resolve(Response.json(body, { status: statusCode }));
});

/** The router's event type has no Lambda authorizer. */
const callerOf = ({ requestContext }: { readonly requestContext: object }): unknown => {
  const authorizer = 'authorizer' in requestContext ? requestContext.authorizer : undefined;
  return isJsonObject(authorizer) ? authorizer['lambda'] : undefined;
};

export const handler = async (event: unknown, context: Context): Promise<unknown> =>
  app.resolve(event, context);
