import {
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { type Item, textOf } from '../table/attributes.ts';
import { itemOf, parseItem } from '../table/item.ts';
import { plantIndex, primaryKey } from '../table/keys.ts';
import type { IdentifiedPlant, Plant } from '../table/plant.ts';
import { isPrincipal, type Principal } from '../table/principal.ts';
import { idIn } from '../table/sort-key.ts';
import { UserError } from '../terminal/user-error.ts';
import { findTable, type TableOptions } from './find-table.ts';
import { retryThrottled } from './retry-throttled.ts';
import { retryUnprocessed } from './retry-unprocessed.ts';
import { itemIn, itemsIn, notDynamoDb, unprocessedIn } from './store-response.ts';

/** An item of the table. A damaged item has no plant, and can have an empty id. */
export interface StoredItem {
  /** The key for a GetItem or a deletion. */
  readonly key: Readonly<Record<'principal' | 'sortKey', { readonly S: string }>>;
  readonly id: string;
  readonly plant: Plant | undefined;
  readonly attributes: Item;
}

const requestsInFlight = 8;
/** AWS: BatchWriteItem takes up to 25 requests. */
const batchSize = 25;

/** @throws {UserError} if the stage has no table, the local service is not running, or an address is bad */
export const openPlantTable = async (options: TableOptions): Promise<PlantTable> => {
  const { name: TableName, ...config } = await findTable(options);
  const client = new DynamoDBClient({ retryMode: 'standard', maxAttempts: 3, ...config });
  client.middlewareStack.add((next) => (input) => retryThrottled(() => next(input)), { step: 'initialize' });
  return plantTable(client, TableName);
};

export type PlantTable = ReturnType<typeof plantTable>;

const plantTable = (client: DynamoDBClient, TableName: string) => {
  const pagesOf = (
    attribute: string,
    value: string,
    source: Pick<QueryCommandInput, 'ConsistentRead' | 'IndexName'>,
  ) =>
    paginateQuery(
      { client },
      {
        TableName,
        KeyConditionExpression: `${attribute} = :value`,
        ExpressionAttributeValues: { ':value': { S: value } },
        ...source,
      },
    );
  const pagesOfPrincipal = (principal: Principal) =>
    pagesOf(primaryKey.partitionKey, principal, { ConsistentRead: true });
  /** The keys of all items with an id: the index has no other attributes, and is eventually consistent. */
  const pagesOfIndex = (id: string) => pagesOf(plantIndex.partitionKey, id, { IndexName: plantIndex.name });
  const pagesOfTable = () => paginateScan({ client }, { TableName });
  /** Reads an item with all its attributes; none if the item was deleted meanwhile. */
  const readItem = async ({ key }: StoredItem): Promise<readonly StoredItem[]> => {
    const command = new GetItemCommand({ TableName, Key: key, ConsistentRead: true });
    const { Item: item } = await client.send(command);
    return itemIn(item).map(storedItem);
  };
  const writeBatch = (batch: readonly WriteRequest[]): Promise<void> =>
    retryUnprocessed(batch, async (requests) => {
      const command = new BatchWriteItemCommand({ RequestItems: { [TableName]: [...requests] } });
      return unprocessedIn(await client.send(command));
    });
  const write = <Source>(sources: readonly Source[], requestOf: (source: Source) => WriteRequest) =>
    pMap(batchesOf(sources), (batch) => writeBatch(batch.map(requestOf)), { concurrency: requestsInFlight });
  return {
    /**
     * Yields the items of one principal or of all, with one id or any. Each principal's items are in the
     * order of their sort keys. Items of a partition that is no principal's are not plants, so they are
     * skipped.
     */
    async *read(principal?: Principal, id?: string): AsyncGenerator<readonly StoredItem[]> {
      const isByIndex = principal === undefined && id !== undefined;
      const pagesOfAll = () => (id === undefined ? pagesOfTable() : pagesOfIndex(id));
      const pages = principal === undefined ? pagesOfAll() : pagesOfPrincipal(principal);
      let lastKey: string | undefined;
      for await (const { Items: items, LastEvaluatedKey: key } of pages) {
        // A server that is not DynamoDB can repeat a page without end.
        if (lastKey !== undefined && lastKey === JSON.stringify(key)) throw notDynamoDb();
        lastKey = JSON.stringify(key);
        const found = itemsIn(items)
          .map(storedItem)
          .filter(({ key: { principal: holder } }) => isPrincipal(holder.S))
          .filter((item) => id === undefined || item.id === id);
        yield isByIndex ? (await pMap(found, readItem, { concurrency: requestsInFlight })).flat() : found;
      }
    },
    put: (principal: Principal, plants: readonly IdentifiedPlant[]) =>
      write(plants, (plant) => ({ PutRequest: { Item: itemOf(principal, plant) } })),
    delete: (items: readonly StoredItem[]) => write(items, ({ key }) => ({ DeleteRequest: { Key: key } })),
  };
};

function* batchesOf<Source>(sources: readonly Source[]): Generator<readonly Source[]> {
  for (let start = 0; start < sources.length; start += batchSize)
    yield sources.slice(start, start + batchSize);
}

const storedItem = (attributes: Item): StoredItem => {
  const [principal, sortKey] = [textOf(attributes['principal']), textOf(attributes['sortKey'])];
  if (principal === undefined || sortKey === undefined)
    throw new UserError('This is not a table of plants: an item lacks the keys. Name another table.');
  const key = { principal: { S: principal }, sortKey: { S: sortKey } };
  return { key, id: idIn(sortKey), plant: parseItem(attributes)?.plant, attributes };
};
