import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoDbClient } from '../../functions/dynamodb/client.ts';
import { dynamoDbPlantStore } from '../../functions/plant-store/dynamodb-plant-store.ts';
import {
  type PlantQuery,
  type PlantStore,
  type ReadResult,
  StoreUnavailable,
} from '../../functions/plant-store/plant-store.ts';
import { startServer, stopServer, unusedUrl } from '../support/loopback-server.ts';
import {
  credentials,
  dynamoDbTable,
  type DynamoDbTable,
  itemOf,
  region,
} from '../support/table/dynamodb-table.ts';
import { key, sortKeyOf, storedPlant } from '../support/table/plants.ts';

const tableName = 'PlantStoreContract';
const { signal } = new AbortController();

/** An adapter for a table in the DynamoDB at an endpoint. */
export type StoreAt = (endpoint: string, tableName: string) => PlantStore;

const deployedStoreAt: StoreAt = (endpoint, table) =>
  dynamoDbPlantStore(dynamoDbClient({ region, credentials, endpoint }), table);

/**
 * Tests an adapter with a DynamoDB.
 * @param start starts the DynamoDB, or finds a running one, and returns its endpoint
 * @param storeAt the adapter; by default, the one that is deployed
 */
export const describePlantStore = (
  name: string,
  start: () => Promise<string>,
  storeAt = deployedStoreAt,
): void => {
  describe(`the plant store in ${name}`, () => {
    let store: PlantStore;
    let table: DynamoDbTable;
    const read = (query: Omit<PlantQuery, 'limit'> & Partial<PlantQuery>): Promise<ReadResult> =>
      store.read({ limit: 1000, ...query }, signal);

    beforeAll(async () => {
      const endpoint = await start();
      table = dynamoDbTable(endpoint, tableName);
      store = storeAt(endpoint, tableName);
      await table.create();
      await table.put([
        itemOf('user#alice', storedPlant('rose', 'rose2')),
        itemOf('user#alice', storedPlant('rose', 'rose', 'flower')),
        itemOf('user#alice', storedPlant('fern')),
        itemOf('user#bob', storedPlant('cactus')),
        itemOf('group#alice', storedPlant('moss')),
        itemOf('user#alice#', storedPlant('ivy')),
      ]);
    });

    afterAll(() => {
      table.close();
    });

    it('reads all plants of one principal in order, and returns no `next`', async () => {
      expect(await read({ principal: 'user#alice' })).toEqual({
        plants: [storedPlant('fern'), storedPlant('rose', 'rose', 'flower'), storedPlant('rose', 'rose2')],
        damaged: 0,
      });
    });

    it('reads no plants of a principal without any', async () => {
      expect(await read({ principal: 'user#carol' })).toEqual({ plants: [], damaged: 0 });
    });

    it('reads at most `limit` items, and returns the key of the last item as `next`', async () => {
      expect(await read({ principal: 'user#alice', limit: 2 })).toEqual({
        plants: [storedPlant('fern'), storedPlant('rose', 'rose', 'flower')],
        damaged: 0,
        next: sortKeyOf('rose'),
      });
    });

    it.each([
      ['a plant', sortKeyOf('rose'), ['rose']],
      ['the last plant', sortKeyOf('rose', 'rose2'), []],
      ['a deleted plant', sortKeyOf('lily'), ['rose', 'rose']],
      ['the key of a damaged item', sortKeyOf('mm', '1').slice(0, -1), ['rose', 'rose']],
    ])('continues after %s', async (_, after, names) => {
      const { plants } = await read({ principal: 'user#alice', after });
      expect(plants.map(({ plant: { name } }) => name)).toEqual(names);
    });

    it.each([
      ['a plant', sortKeyOf('lily'), sortKeyOf('rose'), ['rose']],
      ['a deleted plant', undefined, sortKeyOf('lily'), ['fern']],
    ])('reads up to %s', async (_, after, upTo, names) => {
      const { plants, next } = await read({ principal: 'user#alice', after, upTo });
      expect([plants.map(({ plant: { name } }) => name), next]).toEqual([names, undefined]);
    });

    it('reads a name of 900 bytes with an id of 123', async () => {
      const [name, id] = ['水'.repeat(300), 'x'.repeat(123)];
      await table.put([itemOf('user#long', storedPlant(name, id))]);
      expect((await read({ principal: 'user#long' })).plants).toEqual([storedPlant(name, id)]);
    });

    // A missing name must not be read as the text “undefined”. The damaged keys are in
    // test/unit/table/sort-key.test.ts.
    const damagedKey = key('user#damaged', 'undefined');
    const name = { S: 'undefined' };
    it.each([
      ['no name', {}],
      ['a number as name', { name: { N: '5' } }],
      ['null as name', { name: { NULL: true } }],
      ['an empty name', { name: { S: '' } }],
      ['a number as tag', { name, tag: { N: '5' } }],
      ['null as tag', { name, tag: { NULL: true } }],
    ])('leaves out and counts an item with %s, and continues after it', async (_, attributes) => {
      await table.put([{ ...damagedKey, ...attributes }, itemOf('user#damaged', storedPlant('zinnia'))]);
      const { plants, damaged, next } = await read({ principal: 'user#damaged', limit: 1 });
      expect([plants, damaged, next]).toEqual([[], 1, damagedKey.sortKey.S]);
      expect((await read({ principal: 'user#damaged', after: next })).plants).toEqual([
        storedPlant('zinnia'),
      ]);
      await table.remove([damagedKey]);
    });

    const query: PlantQuery = { principal: 'user#alice', limit: 1 };
    /** The error of a read: StoreUnavailable, or another error. */
    const failureAt = (endpoint: string): Promise<string> =>
      storeAt(endpoint, tableName)
        .read(query, signal)
        .then(
          () => 'none',
          (error: unknown) => (error instanceof StoreUnavailable ? 'StoreUnavailable' : 'another error'),
        );

    it('fails with StoreUnavailable when nothing listens at its endpoint', async () => {
      expect(await failureAt(unusedUrl())).toBe('StoreUnavailable');
    });

    it.each([
      ['StoreUnavailable', 'throttles', 400, 'ProvisionedThroughputExceededException'],
      ['StoreUnavailable', 'has an internal error', 500, 'InternalServerError'],
      ['another error', 'refuses the Query', 400, 'ValidationException'],
    ])('fails with %s when DynamoDB %s', async (expected, _, statusCode, type) => {
      const server = createServer((_request, response) => {
        const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` });
        response.writeHead(statusCode).end(body);
      });
      const failure = await failureAt(await startServer(server));
      await stopServer(server);
      expect(failure).toBe(expected);
    });

    it('rejects a read whose signal is aborted', async () => {
      await expect(store.read(query, AbortSignal.abort())).rejects.toThrow();
    });
  });
};
