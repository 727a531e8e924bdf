// The suite `dynamodb` proves: the table’s adapter and the contract hold on Amazon’s own DynamoDB Local;
// three stores give the same lists. It cannot show throttling and eventual reads, which neither store has.
import { once } from 'node:events';
import dynalite from 'dynalite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dynamoDbClient } from '../../functions/plant-store/dynamodb-client.ts';
import { dynamoDbPlantStore } from '../../functions/plant-store/dynamodb-plant-store.ts';
import { listPlants, type ListPage, type ListQuery } from '../../functions/plant-store/list-plants.ts';
import type { PlantStore } from '../../functions/plant-store/plant-store.ts';
import { listen } from '../../local/listen.ts';
import type { Principal } from '../../table/principal.ts';
import { isSortKey } from '../../table/sort-key.ts';
import { describeContract } from '../contract/contract.ts';
import { describePlantStore } from '../contract/plant-store.ts';
import { newName } from '../contract/plants.ts';
import { recordingLog } from '../support/recording-log.ts';
import { npmStart } from '../support/service/npm-start.ts';
import {
  credentials,
  dynamoDbTable,
  type DynamoDbTable,
  itemOf,
  region,
} from '../support/table/dynamodb-table.ts';
import type { TableItem } from '../support/table/memory-plant-store.ts';
import { sortKeyOf, storedPlant } from '../support/table/stored-plants.ts';
import { rootKeys } from './emulator.ts';

const endpoints = z
  .object({ DYNAMODB_LOCAL_ENDPOINT: z.url(), MINISTACK_ENDPOINT: z.url() })
  .parse(process.env);
const dynamoDbLocal = endpoints.DYNAMODB_LOCAL_ENDPOINT;

describePlantStore('DynamoDB Local', () => Promise.resolve(dynamoDbLocal));

describeContract('npm start on DynamoDB Local', () => npmStart({ AWS_ENDPOINT_URL_DYNAMODB: dynamoDbLocal }));

const principals = ['user#alice', 'user#bob', 'group#alice', 'group#gardeners'] as const;
// Few letters, so that names repeat and share prefixes. Byte order and JavaScript's differ on the last two.
const name = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', 'é', '水', '\uffff', '\u{1f33f}'),
  minLength: 1,
  maxLength: 3,
});
/** Each plant has its own tag, which distinguishes plants of the same name. */
const plant = fc
  .tuple(name, fc.constantFrom('1', '2'))
  .map(([each, id]) => storedPlant(each, id, `${each}/${id}`));
const damaged = fc
  .oneof(
    fc.tuple(name, fc.constantFrom('8', '9')).map(([each, id]): string => sortKeyOf(each, id)),
    name,
  )
  .map((sortKey) => ({ sortKey }));
/** Plants and damaged items, each granted to any of the principals. */
const grants = fc.uniqueArray(
  fc.record({
    item: fc.oneof<fc.Arbitrary<TableItem>[]>(plant, plant, damaged),
    holders: fc.subarray([...principals]),
  }),
  { selector: ({ item: { sortKey } }) => sortKey, maxLength: 35 },
);

interface TestedStore {
  readonly name: string;
  readonly table: DynamoDbTable;
  readonly store: PlantStore;
}

describe('dynalite, DynamoDB Local and MiniStack', () => {
  const embedded = dynalite({ createTableMs: 0 });
  let stores: readonly TestedStore[] = [];

  beforeAll(async () => {
    const port = await listen(embedded, 0, 'STORE_PORT');
    const tableName = newName('table');
    const testedStore = (name: string, endpoint: string, keys = credentials): TestedStore => ({
      name,
      table: dynamoDbTable(endpoint, tableName, keys),
      store: dynamoDbPlantStore(dynamoDbClient({ region, credentials: keys, endpoint }), tableName),
    });
    stores = [
      testedStore('dynalite', `http://127.0.0.1:${String(port)}`),
      testedStore('DynamoDB Local', dynamoDbLocal),
      testedStore('MiniStack', endpoints.MINISTACK_ENDPOINT, rootKeys),
    ];
    for (const { table } of stores) await table.create();
  });
  afterAll(async () => {
    for (const { table } of stores) table.close();
    embedded.closeAllConnections();
    embedded.close();
    await once(embedded, 'close');
  });

  /** The JSON of all list pages, by store. */
  const listsBy = async (
    query: Pick<ListQuery, 'principals' | 'limit' | 'after'>,
  ): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      await Promise.all(
        stores.map(async ({ name: storeName, store }): Promise<[string, string]> => {
          const pages: ListPage[] = [];
          let { after } = query;
          do {
            const page = await listPlants(
              { store, log: recordingLog() },
              { ...query, after, maxBytes: Infinity },
              new AbortController().signal,
            );
            pages.push(page);
            after = page.next;
          } while (after !== undefined);
          return [storeName, JSON.stringify(pages)];
        }),
      ),
    );

  const expectTheSame = (lists: Readonly<Record<string, string>>): void => {
    const [first = ''] = Object.values(lists);
    expect(lists).toEqual(Object.fromEntries(stores.map(({ name }): [string, string] => [name, first])));
  };

  it('give the same list pages for the same plants, principals, limits and positions', async ({ task }) => {
    const listed = fc.subarray([...principals], { minLength: 1 });
    const limits = fc.option(fc.integer({ min: 1, max: 8 }));
    const cases = 150;
    await fc.assert(
      fc.asyncProperty(grants, listed, limits, fc.option(fc.nat()), async (granted, own, limit, seed) => {
        // Each case has its own partitions.
        const suffix = newName('');
        const named = (principal: Principal): Principal => `${principal}${suffix}`;
        const items = granted.flatMap(({ item, holders }) =>
          holders.map((holder) => itemOf(named(holder), item)),
        );
        await Promise.all(stores.map((each) => each.table.put(items)));
        const key = seed === null ? undefined : granted[seed % granted.length]?.item.sortKey;
        const after = isSortKey(key) ? key : undefined;
        expectTheSame(await listsBy({ principals: own.map(named), limit: limit ?? 1000, after }));
      }),
      { numRuns: cases },
    );
    task.meta.cases = cases * stores.length;
  });

  it('give the same list when their responses end at different places', async () => {
    const own = [`user#${newName('user')}`, `group#${newName('group')}`] as const;
    const tag = '\u{1f33f}'.repeat(225);
    const plants = Array.from({ length: 3000 }, (_, index) => storedPlant(`fern ${String(index)}`, '1', tag));
    const items = plants.map((each, index) => itemOf(own[index % 3 === 0 ? 1 : 0], each));
    await Promise.all(stores.map((each) => each.table.put(items)));
    for (const limit of [10_000, 1300]) {
      const lists = await listsBy({ principals: own, limit });
      expectTheSame(lists);
      expect(Object.values(lists)[0]?.match(/"name"/g)).toHaveLength(plants.length);
    }
  });
});
