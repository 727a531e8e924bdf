import dynalite from 'dynalite';
import { afterAll, expect, it } from 'vitest';
import { dynamoDbPlantStore } from '../../../functions/plant-store/dynamodb-plant-store.ts';
import { DynamoDbError, type QueryOutput } from '../../../functions/plant-store/query.ts';
import { commonErrors } from '../../../functions/shared/errors.ts';
import { optionalFields } from '../../../table/plant.ts';
import { describePlantStore } from '../../contract/plant-store.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const server = dynalite({ createTableMs: 0 });
describePlantStore('dynalite', () => startServer(server));
afterAll(() => stopServer(server));

it('a read asks for the attributes of a plant alone, in the range and up to the limit', async () => {
  const inputs: unknown[] = [];
  const query = (input: unknown): Promise<QueryOutput> => {
    inputs.push(input);
    return Promise.resolve({ Items: [] });
  };
  const store = dynamoDbPlantStore({ query }, 'Plants');
  const range = { after: 'fern\u00001', upTo: 'rose\u00001', limit: 500_000 };
  await store.read({ principal: 'user#alice', ...range }, new AbortController().signal);
  const fields = ['name', ...optionalFields.map(({ field }) => field)];
  const principal = { S: 'user#alice' };
  const expected = {
    TableName: 'Plants',
    KeyConditionExpression: 'principal = :principal AND sortKey <= :upTo',
    ExpressionAttributeValues: { ':principal': principal, ':upTo': { S: 'rose\u00001' } },
    ExclusiveStartKey: { principal, sortKey: { S: 'fern\u00001' } },
    ProjectionExpression: ['sortKey', ...fields.map((field) => `#${field}`)].join(', '),
    ExpressionAttributeNames: Object.fromEntries(fields.map((field) => [`#${field}`, field])),
    Limit: 500_000,
  };
  expect(inputs).toEqual([expected]);
});

it('a read that fails with 2001 keeps the cause for the log', async () => {
  const cause = new DynamoDbError('Timeout', true);
  const store = dynamoDbPlantStore({ query: () => Promise.reject(cause) }, 'Plants');
  const read = store.read({ principal: 'user#alice', limit: 1 }, new AbortController().signal);
  await expect(read).rejects.toMatchObject({ entry: commonErrors.storeUnavailable, cause });
});
