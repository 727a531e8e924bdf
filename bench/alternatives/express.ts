import express, { type Request, type Response } from 'express';
import serverless from 'serverless-http';
import type { HttpEvent } from '../../functions/http/payload-format.ts';
import { errorResponse, listPlants } from './list-plants.ts';

/** serverless-http adds the event's context to the request. */
type GatewayRequest = Request & Pick<HttpEvent, 'requestContext'>;

/** As in the READMEs of Express and serverless-http. */
const app = express();

app.get('/plants', async (request: GatewayRequest, response: Response) => {
  const limits = new URL(request.originalUrl, 'https://localhost').searchParams.getAll('limit');
  try {
    response.json(await listPlants(request.requestContext?.authorizer?.lambda, limits));
  } catch (error) {
    const { statusCode, body } = errorResponse(error);
    response.status(statusCode).json(body);
  }
});

export const handler = serverless(app);
