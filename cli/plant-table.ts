import {
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  paginateQuery,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { type Item, itemOf, parseItem, textOf } from '../table/item.ts';
import { plantIndex } from '../table/keys.ts';
import type { IdentifiedPlant, Plant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { idIn } from '../table/sort-key.ts';
import { UserError } from '../terminal/user-error.ts';
import { findTable, type TableOptions } from './find-table.ts';
import { itemIn, itemsIn, notDynamoDb, unprocessedIn } from './store-response.ts';
import { whileThrottled } from './retry-throttled.ts';
import { writeAll } from './retry-unprocessed.ts';

/** An item of the table. A damaged one has no plant, and can have an empty id. */
export interface Entry {
  /** As DynamoDB takes it. */
  readonly key: Readonly<Record<'principal' | 'sortKey', { readonly S: string }>>;
  readonly id: string;
  readonly plant: Plant | undefined;
  readonly item: Item;
}

const requestsInFlight = 8;
/** AWS: BatchWriteItem takes up to 25 requests. */
const batchSize = 25;

/** @throws {UserError} if the stage has no table, the local service is not running, or an address is bad */
export const openTable = async (options: TableOptions): Promise<PlantTable> => {
  const { name: TableName, ...config } = await findTable(options);
  const client = new DynamoDBClient({ retryMode: 'standard', maxAttempts: 3, ...config });
  client.middlewareStack.add((next) => (input) => whileThrottled(() => next(input)), { step: 'initialize' });
  return plantTable(client, TableName);
};

export type PlantTable = ReturnType<typeof plantTable>;

const plantTable = (client: DynamoDBClient, TableName: string) => {
  const read = async ({ key }: Entry): Promise<readonly Entry[]> => {
    const command = new GetItemCommand({ TableName, Key: key, ConsistentRead: true });
    const { Item: item } = await client.send(command);
    return itemIn(item).map(entryOf);
  };
  const writeBatch = (batch: readonly WriteRequest[]): Promise<void> =>
    writeAll(batch, async (requests) => {
      const command = new BatchWriteItemCommand({ RequestItems: { [TableName]: [...requests] } });
      return unprocessedIn(await client.send(command));
    });
  function* batchesOf<Each>(items: readonly Each[]) {
    for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
  }
  const write = <Each>(items: readonly Each[], requestOf: (item: Each) => WriteRequest) =>
    pMap(batchesOf(items), (batch) => writeBatch(batch.map(requestOf)), { concurrency: requestsInFlight });
  return {
    /** Yields the items of one principal or of all, with one id or any, in name order for each principal. */
    async *entries(principal?: Principal, id?: string): AsyncGenerator<readonly Entry[]> {
      // The index has only keys and is eventually consistent, so a principal's items are read from the table.
      const isByIndex = principal === undefined && id !== undefined;
      const [attribute, value] = isByIndex ? [plantIndex.partitionKey, id] : ['principal', principal];
      const query = {
        TableName,
        KeyConditionExpression: `${attribute} = :value`,
        ExpressionAttributeValues: { ':value': { S: value ?? '' } },
        ...(isByIndex ? { IndexName: plantIndex.name } : { ConsistentRead: true }),
      };
      const pages =
        value === undefined ? paginateScan({ client }, { TableName }) : paginateQuery({ client }, query);
      let lastKey: string | undefined;
      for await (const { Items: items, LastEvaluatedKey: key } of pages) {
        // Another server can repeat a page without end.
        if (lastKey !== undefined && lastKey === JSON.stringify(key)) throw notDynamoDb();
        lastKey = JSON.stringify(key);
        const entries = itemsIn(items)
          .map(entryOf)
          .filter((entry) => id === undefined || entry.id === id);
        yield isByIndex ? (await pMap(entries, read, { concurrency: requestsInFlight })).flat() : entries;
      }
    },
    put: (principal: Principal, plants: readonly IdentifiedPlant[]) =>
      write(plants, (plant) => ({ PutRequest: { Item: itemOf(principal, plant) } })),
    delete: (entries: readonly Entry[]) => write(entries, ({ key }) => ({ DeleteRequest: { Key: key } })),
  };
};

const entryOf = (item: Item): Entry => {
  const [principal, sortKey] = [textOf(item['principal']), textOf(item['sortKey'])];
  if (principal === undefined || sortKey === undefined)
    throw new UserError('This is not a table of plants: an item lacks the keys. Name another table.');
  const key = { principal: { S: principal }, sortKey: { S: sortKey } };
  return { key, id: idIn(sortKey), plant: parseItem(item)?.plant, item };
};
