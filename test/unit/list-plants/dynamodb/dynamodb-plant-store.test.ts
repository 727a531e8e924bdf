import type { Server } from 'node:http';
import dynalite from 'dynalite';
import { afterAll, describe, expect, it } from 'vitest';
import { dynamoPlantStore } from '../../../../functions/list-plants/dynamodb/dynamodb-plant-store.ts';
import {
  DynamoDbError,
  type QueryInput,
  type QueryOutput,
} from '../../../../functions/list-plants/dynamodb/query.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import type { PlantQuery } from '../../../../functions/list-plants/plant-store.ts';
import { describePlantStore } from '../../../contract/plant-store.ts';
import { startServer, stopServer } from '../../../support/loopback-server.ts';
import { storedPlant } from '../../../support/stored-plants.ts';

const servers: Server[] = [];
describePlantStore('dynalite', () => {
  const server = dynalite({ createTableMs: 0 });
  servers.push(server);
  return startServer(server);
});
afterAll(() => Promise.all(servers.map(stopServer)));

/** A store whose client responds in this way, and the Queries that the client was given. */
const storeWith = (response: QueryOutput | Error = { Items: [] }) => {
  const inputs: QueryInput[] = [];
  const query = (input: QueryInput): Promise<QueryOutput> => {
    inputs.push(input);
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  };
  const { readPlants } = dynamoPlantStore({ query }, 'Plants');
  const { signal } = new AbortController();
  return {
    inputs,
    read: (more: Partial<PlantQuery> = {}) => readPlants({ principal: 'user#alice', ...more }, signal),
  };
};

describe('a DynamoDB', () => {
  it.each([
    ['neither a position nor a limit', {}, 'principal = :principal', {}, undefined],
    [
      'a position and a limit',
      { after: 'fern\u00001', limit: 2_147_483_648 },
      'principal = :principal AND sortKey > :after',
      { ':after': { S: 'fern\u00001' } },
      2_147_483_647,
    ],
  ])(
    'receives a Query for no more than is needed, with %s, and no limit above int32',
    async (_, query, condition, values, limit) => {
      const { inputs, read } = storeWith();
      await read(query);
      expect(inputs).toEqual([
        {
          TableName: 'Plants',
          KeyConditionExpression: condition,
          ExpressionAttributeValues: { ':principal': { S: 'user#alice' }, ...values },
          ProjectionExpression: 'sortKey, #name, #tag',
          ExpressionAttributeNames: { '#name': 'name', '#tag': 'tag' },
          Limit: limit,
        },
      ]);
    },
  );

  it('says with its last key where to continue, also when each item is damaged', async () => {
    const Items = [{}, { sortKey: { S: 'ivy\u00001' }, name: { S: 'ivy' } }];
    const { read } = storeWith({ Items, LastEvaluatedKey: { sortKey: { S: 'ivy\u00001' } } });
    expect(await read()).toEqual({ plants: [storedPlant('ivy')], damaged: 1, next: 'ivy\u00001' });
  });

  it('is unavailable when its last key is not a position', async () => {
    const { read } = storeWith({ Items: [], LastEvaluatedKey: {} });
    const cause = { name: 'DynamoDbError', code: 'NoLastKey', transient: true };
    await expect(read()).rejects.toMatchObject({ entry: catalogue.storeUnavailable, cause });
  });

  it('is unavailable after a transient error, and not after another one', async () => {
    const cause = new DynamoDbError('Timeout', true);
    const unavailable: unknown = await storeWith(cause)
      .read()
      .catch((error: unknown) => error);
    expect(unavailable).toBeInstanceOf(ServiceError);
    expect(unavailable).toMatchObject({ entry: catalogue.storeUnavailable, cause });
    for (const error of [new DynamoDbError('ValidationException', false), new TypeError()])
      await expect(storeWith(error).read()).rejects.toBe(error);
  });
});
