import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpEvent } from '../../functions/http/operation.ts';
import { errorResponse } from './error-response.ts';
import { listPlants, type ReadItems } from './list-plants.ts';

const headers = { 'content-type': 'application/json' };

/** A handler without a framework. */
export const plainHandler =
  (readItems: ReadItems) =>
  async (event: HttpEvent): Promise<APIGatewayProxyStructuredResultV2> => {
    try {
      const limits = new URLSearchParams(event.rawQueryString).getAll('limit');
      const plants = await listPlants(readItems, event.requestContext?.authorizer?.lambda, limits);
      return { statusCode: 200, headers, body: JSON.stringify(plants) };
    } catch (error) {
      const { statusCode, body } = errorResponse(error);
      return { statusCode, headers, body: JSON.stringify(body) };
    }
  };
