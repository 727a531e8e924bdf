// The suite `dynamodb` proves: the table’s adapter and the contract hold on Amazon’s own DynamoDB Local;
// three stores give the same bytes. It cannot show throttling and eventual reads, which neither store has.
import { once } from 'node:events';
import dynalite from 'dynalite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodeCursor } from '../../functions/list-plants/cursor.ts';
import { dynamoDbClient } from '../../functions/plant-store/dynamodb-client.ts';
import { dynamoDbPlantStore } from '../../functions/plant-store/dynamodb-plant-store.ts';
import { isSortKey } from '../../table/sort-key.ts';
import type { PlantStore } from '../../functions/plant-store/plant-store.ts';
import { listen } from '../../local/listen.ts';
import { describeContract } from '../contract/contract.ts';
import { describePlantStore } from '../contract/plant-store.ts';
import { newName } from '../contract/plants.ts';
import { callers, grants, limits } from '../support/table/arbitrary-table.ts';
import {
  credentials,
  dynamoDbTable,
  type DynamoDbTable,
  itemOf,
  region,
} from '../support/table/dynamodb-table.ts';
import { type Caller, readPages } from '../support/list-pages.ts';
import { npmStart } from '../support/service/npm-start.ts';
import { storedPlant } from '../support/table/stored-plants.ts';
import { rootKeys } from './emulator.ts';

const endpoints = z
  .object({ DYNAMODB_LOCAL_ENDPOINT: z.url(), MINISTACK_ENDPOINT: z.url() })
  .parse(process.env);
const dynamoDbLocal = endpoints.DYNAMODB_LOCAL_ENDPOINT;

describePlantStore('DynamoDB Local', () => Promise.resolve(dynamoDbLocal));

describeContract('npm start on DynamoDB Local', () => npmStart({ AWS_ENDPOINT_URL_DYNAMODB: dynamoDbLocal }));

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

  /** The joined bodies of all pages, by store. */
  const bodiesBy = async (caller: Caller, query: string): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      await Promise.all(
        stores.map(async ({ name, store }): Promise<[string, string]> => {
          const pages = await readPages(store, caller, query);
          return [name, pages.map(({ body }) => body).join('\n')];
        }),
      ),
    );

  const expectTheSame = (bodies: Readonly<Record<string, string>>): void => {
    const [first = ''] = Object.values(bodies);
    expect(bodies).toEqual(Object.fromEntries(stores.map(({ name }): [string, string] => [name, first])));
  };

  it('give the same bytes for the same plants, callers, limits and cursors', async ({ task }) => {
    const start = fc.option(fc.nat());
    const cases = 150;
    await fc.assert(
      fc.asyncProperty(grants, callers, fc.option(limits), start, async ({ table }, caller, limit, seed) => {
        // Each case has its own partitions.
        const suffix = newName('');
        const named = {
          subject: caller.subject + suffix,
          groups: caller.groups.map((each) => each + suffix),
        };
        const items = Object.entries(table).flatMap(([principal, each]) =>
          each.map((item) => itemOf(principal + suffix, item)),
        );
        await Promise.all(stores.map((each) => each.table.put(items)));

        const parameters = new URLSearchParams();
        if (limit !== null) parameters.set('limit', String(limit));
        const keys = Object.values(table).flatMap((each) => each.map(({ sortKey }) => sortKey));
        const key = seed === null ? undefined : keys[seed % keys.length];
        if (isSortKey(key)) parameters.set('cursor', encodeCursor(key));
        expectTheSame(await bodiesBy(named, parameters.toString()));
      }),
      { numRuns: cases },
    );
    task.meta.cases = cases * stores.length;
  });

  it('give the same bytes for a list of several pages, which they cut at different places', async () => {
    const caller = { subject: newName('user'), groups: [newName('group')] };
    const tag = '\u{1f33f}'.repeat(225);
    const plants = Array.from({ length: 3000 }, (_, index) => storedPlant(`fern ${String(index)}`, '1', tag));
    const items = plants.map((plant, index) =>
      itemOf(index % 3 === 0 ? `group#${caller.groups.join()}` : `user#${caller.subject}`, plant),
    );
    await Promise.all(stores.map((each) => each.table.put(items)));
    for (const query of ['', 'limit=1300']) {
      const bodies = await bodiesBy(caller, query);
      expectTheSame(bodies);
      expect(Object.values(bodies)[0]?.match(/"name"/g)).toHaveLength(plants.length);
    }
  });
});
