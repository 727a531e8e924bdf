import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantOf } from '../../../cli/rows/plant-row.ts';
import type { Grant } from '../../../cli/table/grant.ts';
import { plantTable } from '../../../cli/table/plant-table.ts';
import { dynamoDbClient } from '../../../functions/list-plants/dynamodb/client.ts';
import { dynamoPlantStore } from '../../../functions/list-plants/dynamodb/dynamodb-plant-store.ts';
import { itemOf, parseItem } from '../../../table/item.ts';
import type { Plant } from '../../../table/plant.ts';
import { idIn } from '../../../table/sort-key.ts';
import type { Item } from '../../contract/target.ts';
import { credentials, dynamoDbTable, type DynamoDbTable, region } from '../../support/dynamodb-table.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const tableName = 'Plants';
const server = dynalite({ createTableMs: 0 });
let table: DynamoDbTable;
let sdk: DynamoDBClient;
let endpoint: string;

beforeAll(async () => {
  endpoint = await startServer(server);
  table = dynamoDbTable(endpoint, tableName);
  sdk = new DynamoDBClient({ endpoint, region, credentials });
  await table.create();
});
afterAll(async () => {
  table.close();
  sdk.destroy();
  await stopServer(server);
});

type Attributes = Omit<Item, 'principal'>;

interface Reading {
  readonly plants: readonly Plant[];
  readonly damaged: number;
}

/** The plants and damaged items that the API and the command line read. */
const readings = async (items: readonly Attributes[]): Promise<readonly [api: Reading, cli: Reading]> => {
  const principal = `user#${crypto.randomUUID()}` as const;
  await table.put(items.map((item) => ({ principal: { S: principal }, ...item })));
  const store = dynamoPlantStore(dynamoDbClient({ region, credentials, endpoint }), tableName);
  const { plants, damaged } = await store.readPlants({ principal }, AbortSignal.timeout(10_000));
  const grants: Grant[] = [];
  const { signal } = new AbortController();
  for await (const page of plantTable(sdk, tableName, signal).plantsOf({ principal })) grants.push(...page);
  const readable = grants.flatMap(({ plant }) => (plant === undefined ? [] : [plant]));
  return [
    { plants: plants.map(({ plant }) => plant), damaged },
    {
      plants: readable.map(({ name, tag }) => ({ name, ...(tag !== undefined && { tag }) })),
      damaged: grants.length - readable.length,
    },
  ];
};

const text = (...given: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...given), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }));
const names = text('', 'x'.repeat(900), 'x'.repeat(901), '水'.repeat(300), '水'.repeat(301));
const ids = text('', '1', '1\u00002');
const otherTypes = fc.constantFrom({ N: '1' }, { NULL: true });

/** Items of any shape that the table accepts: the keys are strings, and the rest has any type. */
const items: fc.Arbitrary<Attributes> = fc
  .record({
    name: names,
    id: ids,
    separator: fc.constantFrom('\u0000', '\u0000', '\u0000', ''),
    other: fc.option(
      fc.oneof(
        names.filter((name) => name !== '').map((S) => ({ S })),
        otherTypes,
      ),
      { freq: 1 },
    ),
    hasName: fc.constantFrom(true, true, true, false),
    tag: fc.option(
      fc.oneof(
        text('herb').map((S) => ({ S })),
        otherTypes,
      ),
    ),
  })
  .filter(({ name, id, separator }) => name + separator + id !== '')
  .map(({ name, id, separator, other, hasName, tag }) => ({
    sortKey: { S: name + separator + id },
    ...(other !== null ? { name: other } : hasName && name !== '' ? { name: { S: name } } : {}),
    ...(tag !== null && { tag }),
  }));

describe('the API and the command line', () => {
  it('list the same plants and count the same damaged items, whatever the table contains', async () => {
    const seen = { plants: 0, damaged: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(items, {
          selector: ({ sortKey }) => JSON.stringify(sortKey),
          minLength: 5,
          maxLength: 20,
        }),
        async (generated) => {
          const [api, cli] = await readings(generated);
          expect(cli).toEqual(api);
          seen.plants += api.plants.length;
          seen.damaged += api.damaged;
        },
      ),
      { numRuns: 40 },
    );
    // The generator must make items of both kinds.
    expect(Math.min(seen.plants, seen.damaged)).toBeGreaterThan(10);
  });

  it.each([
    ['no name', { sortKey: { S: '\u00001' } }],
    ['no id', { sortKey: { S: 'fern\u0000' }, name: { S: 'fern' } }],
    ['a name of 901 bytes', { sortKey: { S: `${'x'.repeat(901)}\u00001` }, name: { S: 'x'.repeat(901) } }],
    ['another name than its key', { sortKey: { S: 'fern\u00001' }, name: { S: 'rose' } }],
    ['a number for a tag', { sortKey: { S: 'fern\u00001' }, name: { S: 'fern' }, tag: { N: '1' } }],
  ])('both count an item with %s as damaged', async (_, item) => {
    expect(await readings([item])).toEqual(Array(2).fill({ plants: [], damaged: 1 }));
  });
});

describe('a row that import accepts', () => {
  it('is never stored as a damaged item', () => {
    const anyText = fc.oneof(text('', 'x'.repeat(900), 'x'.repeat(901), 'a\u0000b', '\ud800'), fc.string());
    fc.assert(
      fc.property(
        fc.record({ id: anyText, name: anyText, tag: anyText }, { requiredKeys: ['name'] }),
        (values) => {
          const plant = plantOf({ line: 1, values });
          if (typeof plant === 'string') return;
          const { id, ...shown } = plant;
          const item = itemOf('user#alice', plant);
          expect([parseItem(item)?.plant, idIn(item.sortKey.S)]).toEqual([shown, id]);
        },
      ),
    );
  });
});
