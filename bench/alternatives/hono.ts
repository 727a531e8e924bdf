import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import type { HttpEvent } from '../../functions/http/payload-format.ts';
import { errorResponse, listPlants } from './list-plants.ts';

/** As in https://hono.dev/docs/getting-started/aws-lambda. */
const app = new Hono<{ Bindings: { readonly event: HttpEvent } }>();

app.get('/plants', async (context) => {
  const caller: unknown = context.env.event.requestContext?.authorizer?.lambda;
  return context.json(await listPlants(caller, context.req.queries('limit') ?? []));
});

app.onError((error) => {
  const { statusCode, body } = errorResponse(error);
  return Response.json(body, { status: statusCode });
});

// oxlint-disable-next-line typescript/no-deprecated -- @hono/aws-lambda is not published.
export const handler = handle(app);
