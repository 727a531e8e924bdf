import type { HttpEvent, HttpResult } from '../../functions/http/payload-format.ts';
import { errorResponse, listPlants } from './list-plants.ts';

const headers = { 'content-type': 'application/json' };

/** The SDK without a framework. */
export const handler = async (event: HttpEvent): Promise<HttpResult> => {
  try {
    const limits = new URLSearchParams(event.rawQueryString).getAll('limit');
    const plants = await listPlants(event.requestContext?.authorizer?.lambda, limits);
    return { statusCode: 200, headers, body: JSON.stringify(plants) };
  } catch (error) {
    const { statusCode, body } = errorResponse(error);
    return { statusCode, headers, body: JSON.stringify(body) };
  }
};
