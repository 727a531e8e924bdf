import express, { type NextFunction, type Request, type Response } from 'express';
import serverless from 'serverless-http';
import type { HttpEvent } from '../../functions/http/operation.ts';
import { errorResponse } from './error-response.ts';
import { listPlants } from './list-plants.ts';
import { readItems } from './read-items.ts';

/** serverless-http adds the event's context to the request. */
type GatewayRequest = Request & Pick<HttpEvent, 'requestContext'>;

/** As in the READMEs of Express and serverless-http. */
const app = express();

app.get('/plants', async (request: GatewayRequest, response: Response) => {
  const limits = new URL(request.originalUrl, 'https://localhost').searchParams.getAll('limit');
  const caller: unknown = request.requestContext?.authorizer?.lambda;
  response.json(await listPlants(readItems, caller, limits));
});

// Express recognizes an error handler by its four parameters.
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent) {
    next(error);
    return;
  }
  const { statusCode, body } = errorResponse(error);
  response.status(statusCode).json(body);
});

export const handler = serverless(app);
