import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ListEvent } from '../../functions/list-plants/http/list-request.ts';
import { errorAnswer } from './error-answer.ts';
import { listPlants } from './list-job.ts';
import { readItems } from './read-items.ts';

const headers = { 'content-type': 'application/json' };

/** No framework. */
export const handler = async (event: ListEvent): Promise<APIGatewayProxyStructuredResultV2> => {
  try {
    const limits = new URLSearchParams(event.rawQueryString).getAll('limit');
    const plants = await listPlants(readItems, event.requestContext?.authorizer?.lambda, limits);
    return { statusCode: 200, headers, body: JSON.stringify(plants) };
  } catch (error) {
    const { statusCode, body } = errorAnswer(error);
    return { statusCode, headers, body: JSON.stringify(body) };
  }
};
