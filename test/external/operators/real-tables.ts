import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { dynamoDbClient } from '../../../functions/list-plants/dynamodb/client.ts';
import { dynamoPlantStore } from '../../../functions/list-plants/dynamodb/dynamodb-plant-store.ts';
import { listPlants } from '../../../functions/list-plants/list-plants.ts';
import type { Principal } from '../../../table/principal.ts';
import { newName, type Plant } from '../../contract/plants.ts';
import type { Item as StoredItem } from '../../contract/target.ts';
import { credentials, dynamoDbTable, region } from '../../support/dynamodb-table.ts';
import { type Table, tableOf } from './items.ts';
import type { Item } from './steps.ts';
import { openTerminals } from './run-command.ts';
import { openStoreLink, type StoreLink } from './store-link.ts';

/** A table in a store. */
export interface RealTable {
  readonly name: string;
  readonly put: (item: Item) => Promise<void>;
  readonly clear: () => Promise<void>;
  readonly items: () => Promise<Table>;
  /** As `GET /plants` lists them. */
  readonly plantsOf: (principal: Principal) => Promise<readonly Plant[]>;
}

/** Two tables in one store. */
export interface Store {
  readonly endpoint: string;
  readonly tables: Readonly<Record<'A' | 'B', RealTable>>;
  readonly link: StoreLink;
  readonly close: () => Promise<void>;
}

const text = z.strictObject({ S: z.string() }).transform(({ S }) => S);
const number = z.strictObject({ N: z.string() }).transform(({ N }) => Number(N));
const parsedItem = z.strictObject({
  principal: text.pipe(z.templateLiteral([z.enum(['user', 'group']), '#', z.string()])),
  sortKey: text,
  name: z.union([text, number]).optional(),
  tag: z.union([text, number]).optional(),
  plantId: text.optional(),
  note: text.optional(),
});

const stored = (item: Partial<Item>): StoredItem =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'number' ? { N: String(value) } : { S: value }]],
    ),
  );

export const openStore = async (endpoint: string): Promise<Store> => {
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const reader = dynamoDbClient({ endpoint, region, credentials });
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const open = async (): Promise<RealTable> => {
    const name = newName('table');
    const table = dynamoDbTable(endpoint, name);
    await table.create();
    const store = dynamoPlantStore(reader, name);
    const items = async (): Promise<Table> => {
      const found: Item[] = [];
      for await (const { Items: page = [] } of paginateScan(
        { client },
        { TableName: name, ConsistentRead: true },
      ))
        found.push(...page.map((each) => parsedItem.parse(each)));
      return tableOf(found);
    };
    return {
      name,
      put: (item) => table.put([stored(item)]),
      clear: async () => {
        const all = [...(await items()).values()];
        await table.remove(all.map(({ principal, sortKey }) => stored({ principal, sortKey })));
      },
      items,
      plantsOf: async (principal) => {
        const query = { principals: [principal], maxBytes: 1_000_000 };
        const { plants } = await listPlants({ store, log: silent }, query, new AbortController().signal);
        return plants;
      },
    };
  };
  const link = await openStoreLink(endpoint);
  const closeTerminals = openTerminals();
  return {
    endpoint,
    tables: { A: await open(), B: await open() },
    link,
    close: async () => {
      closeTerminals();
      client.destroy();
      await link.stop();
    },
  };
};
