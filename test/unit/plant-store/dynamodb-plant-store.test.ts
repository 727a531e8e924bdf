import dynalite from 'dynalite';
import { afterAll, describe, expect, it } from 'vitest';
import { dynamoDbPlantStore } from '../../../functions/plant-store/dynamodb-plant-store.ts';
import { DynamoDbError, type QueryOutput } from '../../../functions/plant-store/query.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { ServiceError } from '../../../functions/shared/errors.ts';
import type { PlantQuery } from '../../../functions/plant-store/plant-store.ts';
import { optionalFields } from '../../../table/plant.ts';
import { describePlantStore } from '../../contract/plant-store.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const server = dynalite({ createTableMs: 0 });
describePlantStore('dynalite', () => startServer(server));
afterAll(() => stopServer(server));

/** A store whose client responds in this way, and the Queries that the client was given. */
const storeWith = (response: QueryOutput | Error = { Items: [] }) => {
  const inputs: unknown[] = [];
  const query = (input: unknown): Promise<QueryOutput> => {
    inputs.push(input);
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  };
  const store = dynamoDbPlantStore({ query }, 'Plants');
  const read = (more: Partial<PlantQuery> = {}) =>
    store.read({ principal: 'user#alice', limit: 2, ...more }, new AbortController().signal);
  return { inputs, read };
};

describe('the DynamoDB plant store', () => {
  it('queries one principal with a projection, after the position, up to the last key', async () => {
    const { inputs, read } = storeWith();
    await read();
    await read({ after: 'fern\u00001', upTo: 'rose\u00001', limit: 500_000 });
    const fields = ['name', ...optionalFields.map(({ field }) => field)];
    const common = {
      TableName: 'Plants',
      ProjectionExpression: ['sortKey', ...fields.map((field) => `#${field}`)].join(', '),
      ExpressionAttributeNames: Object.fromEntries(fields.map((field) => [`#${field}`, field])),
    };
    const principal = { S: 'user#alice' };
    expect(inputs).toEqual([
      {
        ...common,
        KeyConditionExpression: 'principal = :principal',
        ExpressionAttributeValues: { ':principal': principal },
        Limit: 2,
      },
      {
        ...common,
        KeyConditionExpression: 'principal = :principal AND sortKey <= :upTo',
        ExpressionAttributeValues: { ':principal': principal, ':upTo': { S: 'rose\u00001' } },
        ExclusiveStartKey: { principal, sortKey: { S: 'fern\u00001' } },
        Limit: 500_000,
      },
    ]);
  });

  it('is unavailable after a transient error, but not after another one', async () => {
    const cause = new DynamoDbError('Timeout', true);
    const unavailable = new ServiceError(catalogue.storeUnavailable, { cause });
    await expect(storeWith(cause).read()).rejects.toThrow(unavailable);
    for (const error of [new DynamoDbError('ValidationException', false), new TypeError()])
      await expect(storeWith(error).read()).rejects.toBe(error);
  });
});
