import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoDbClient } from '../../functions/list-plants/dynamodb/client.ts';
import { dynamoPlantStore } from '../../functions/list-plants/dynamodb/plant-store.ts';
import type { PlantPage, PlantQuery, PlantStore } from '../../functions/list-plants/plant-store.ts';
import { credentials, dynamoDbTable, type DynamoDbTable, itemOf, region } from '../support/dynamodb-table.ts';
import { sortKeyOf, storedPlant } from '../support/stored-plants.ts';

const tableName = 'PlantStoreContract';
const { signal } = new AbortController();

/**
 * Holds the table's adapter against a DynamoDB engine.
 * @param start starts the engine, or finds one that runs, and tells its endpoint
 */
export const describePlantStore = (engine: string, start: () => Promise<string>): void => {
  describe(`the table in ${engine} as a plant store`, () => {
    let store: PlantStore;
    let table: DynamoDbTable;
    const read = (query: PlantQuery): Promise<PlantPage> => store.readPlants(query, signal);

    beforeAll(async () => {
      const endpoint = await start();
      table = dynamoDbTable(endpoint, tableName);
      store = dynamoPlantStore(dynamoDbClient({ region, credentials, endpoint }), tableName);
      await table.create();
      await table.put([
        itemOf('user#alice', storedPlant('rose', '2')),
        itemOf('user#alice', storedPlant('rose', '1', 'flower')),
        itemOf('user#alice', storedPlant('fern')),
        itemOf('user#bob', storedPlant('cactus')),
        itemOf('group#alice', storedPlant('moss')),
        itemOf('user#alice#', storedPlant('ivy')),
      ]);
    });

    afterAll(() => {
      table.close();
    });

    it('gives the plants of one principal in order, and says that nothing follows', async () => {
      expect(await read({ principal: 'user#alice' })).toEqual({
        plants: [storedPlant('fern'), storedPlant('rose', '1', 'flower'), storedPlant('rose', '2')],
        damaged: 0,
      });
    });

    it('gives none to a principal that was granted none', async () => {
      expect(await read({ principal: 'user#carol' })).toEqual({ plants: [], damaged: 0 });
    });

    it('orders names by their bytes', async () => {
      const names = [
        'Zinnia',
        'aloe',
        'aloe vera',
        'Äpfel',
        '水',
        '\ud7ff',
        '\ue000',
        '\uffff',
        '\u{10000}',
        '\u{1f33f}',
      ];
      await table.put([...names].reverse().map((name) => itemOf('user#order', storedPlant(name))));
      const { plants } = await read({ principal: 'user#order' });
      expect(plants.map(({ plant: { name } }) => name)).toEqual(names);
    });

    it('gives at most limit items and names the last of them', async () => {
      expect(await read({ principal: 'user#alice', limit: 2 })).toEqual({
        plants: [storedPlant('fern'), storedPlant('rose', '1', 'flower')],
        damaged: 0,
        next: sortKeyOf('rose'),
      });
    });

    it.each([
      ['a plant', sortKeyOf('rose'), ['rose']],
      ['the last plant', sortKeyOf('rose', '2'), []],
      ['a plant that is gone', sortKeyOf('lily'), ['rose', 'rose']],
      ['the key of a damaged item', 'm', ['rose', 'rose']],
    ])('goes on behind %s', async (_, after, names) => {
      const { plants } = await read({ principal: 'user#alice', after });
      expect(plants.map(({ plant: { name } }) => name)).toEqual(names);
    });

    it('shows nothing of an item but its name and tag', async () => {
      await table.put([
        { ...itemOf('user#more', storedPlant('fern', '1', 'tree')), price: { N: '5' }, note: { S: 'x' } },
      ]);
      expect((await read({ principal: 'user#more' })).plants).toEqual([storedPlant('fern', '1', 'tree')]);
    });

    it('gives a name of 900 bytes with an id of 123', async () => {
      const [name, id] = ['水'.repeat(300), 'x'.repeat(123)];
      await table.put([itemOf('user#long', storedPlant(name, id))]);
      expect((await read({ principal: 'user#long' })).plants).toEqual([storedPlant(name, id)]);
    });

    const key = { principal: { S: 'user#damaged' }, sortKey: { S: 'fern\u00001' } };
    it.each([
      ['no name', key],
      ['a number as name', { ...key, name: { N: '5' } }],
      ['null as name', { ...key, name: { NULL: true } }],
      ['an empty name', { ...key, sortKey: { S: '\u00001' }, name: { S: '' } }],
      ['a name other than its key’s', { ...key, name: { S: 'rose' } }],
      ['the beginning of its key’s name', { ...key, name: { S: 'fer' } }],
      [
        'a name with the separator',
        { ...key, sortKey: { S: 'fern\u00001\u00002' }, name: { S: 'fern\u00001' } },
      ],
      [
        'a name of 901 bytes',
        { ...key, sortKey: { S: `${'x'.repeat(901)}\u00001` }, name: { S: 'x'.repeat(901) } },
      ],
      ['a number as tag', { ...key, name: { S: 'fern' }, tag: { N: '5' } }],
      ['null as tag', { ...key, name: { S: 'fern' }, tag: { NULL: true } }],
      ['a key without separator', { ...key, sortKey: { S: 'fern' }, name: { S: 'fern' } }],
      ['a key without id', { ...key, sortKey: { S: 'fern\u0000' }, name: { S: 'fern' } }],
    ])('leaves out and counts an item with %s, and goes on behind it', async (_, damaged) => {
      await table.put([damaged, itemOf('user#damaged', storedPlant('zinnia'))]);
      const { plants, damaged: count, next } = await read({ principal: 'user#damaged', limit: 1 });
      expect([plants, count, next]).toEqual([[], 1, damaged.sortKey.S]);
      expect((await read({ principal: 'user#damaged', after: next })).plants).toEqual([
        storedPlant('zinnia'),
      ]);
      await table.remove([{ principal: damaged.principal, sortKey: damaged.sortKey }]);
    });
  });
};
