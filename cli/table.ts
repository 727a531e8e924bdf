import { setTimeout } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  paginateQuery,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { itemOf, parseItem, textOf } from '../table/item.ts';
import type { IdentifiedPlant, Plant } from '../table/plant.ts';
import { plantIndex } from '../table/plant-index.ts';
import type { Principal } from '../table/principal.ts';
import { idIn } from '../table/sort-key.ts';
import { isThrottling } from '../table/throttling.ts';
import { UserError } from './terminal/user-error.ts';
import { findTable, type TableOptions } from './find-table.ts';

/** An item of the table. A damaged one has no plant, and can have an empty id. */
export interface Entry {
  readonly principal: string;
  readonly sortKey: string;
  readonly id: string;
  readonly plant: Plant | undefined;
  /** Whether the index has the item under its id. */
  readonly isIndexed: boolean;
}

const batchesInFlight = 8;
/** AWS: BatchWriteItem takes up to 25 requests. */
const batchSize = 25;
/** Attempts to write a batch of which the table accepts nothing: about three minutes. */
const maxFruitlessAttempts = 40;
const readsInFlight = 16;

/** @throws {UserError} if it is not a table of plants, or there is no such stage or service */
export const openTable = async (options: TableOptions): Promise<PlantTable> => {
  const { name: TableName, ...config } = await findTable(options);
  const client = new DynamoDBClient({
    retryMode: 'adaptive',
    // With many more, a refused connection is reported after minutes.
    maxAttempts: 6,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true },
    ...config,
  });
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName }));
  const types = new Map(table?.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]));
  const keys = table?.KeySchema?.map(({ AttributeName: key }) => `${key ?? ''} ${types.get(key) ?? ''}`);
  if (keys?.join() === 'principal S,sortKey S') return plantTable(client, TableName);
  throw new UserError(`${TableName} is not a table of plants. Name another one.`);
};

export type PlantTable = ReturnType<typeof plantTable>;

const plantTable = (client: DynamoDBClient, TableName: string) => {
  const read = async (key: Entry): Promise<readonly Entry[]> => {
    const command = new GetItemCommand({ TableName, Key: keyOf(key), ConsistentRead: true });
    const { Item: item } = await client.send(command);
    return item === undefined ? [] : [entryOf(item)];
  };
  const write = async (batch: WriteRequest[], onWritten: OnWritten, attempt = 1): Promise<void> => {
    const command = new BatchWriteItemCommand({ RequestItems: { [TableName]: batch } });
    const { UnprocessedItems: unprocessed } = await client.send(command).catch((error: unknown) => {
      if (!(error instanceof Error && isThrottling(error.name))) throw error;
      return { UnprocessedItems: { [TableName]: batch } };
    });
    const left = unprocessed?.[TableName] ?? [];
    onWritten(batch.length - left.length);
    if (left.length === 0) return;
    if (attempt === maxFruitlessAttempts)
      throw new UserError('The table has throttled for minutes. Try again later, or raise its limits.');
    // Jitter, so that batches that were throttled together are not repeated together.
    await setTimeout(Math.min(50 * 2 ** attempt, 5000) * (0.5 + Math.random()));
    await write(left, onWritten, left.length < batch.length ? 1 : attempt + 1);
  };
  const writeAll = async <Each>(
    items: readonly Each[],
    requestOf: (item: Each) => WriteRequest,
    onWritten: OnWritten = () => undefined,
  ): Promise<void> => {
    const batches = function* (): Generator<WriteRequest[]> {
      for (let start = 0; start < items.length; start += batchSize)
        yield items.slice(start, start + batchSize).map(requestOf);
    };
    await pMap(batches(), (batch) => write(batch, onWritten), { concurrency: batchesInFlight });
  };
  return {
    /** Yields the items of one principal or of all, with one id or any, in name order for each principal. */
    async *entries(
      principal: Principal | undefined,
      id: string | undefined,
    ): AsyncGenerator<readonly Entry[]> {
      // The index has only keys and is eventually consistent, so a principal's items are read from the table.
      const isByIndex = principal === undefined && id !== undefined;
      const [key, value] = isByIndex ? [plantIndex.partitionKey, id] : ['principal', principal];
      const query = {
        TableName,
        KeyConditionExpression: `${key} = :value`,
        ExpressionAttributeValues: { ':value': { S: value ?? '' } },
        ...(isByIndex ? { IndexName: plantIndex.name } : { ConsistentRead: true }),
      };
      const responses =
        value === undefined ? paginateScan({ client }, { TableName }) : paginateQuery({ client }, query);
      for await (const { Items: items = [] } of responses) {
        const entries = items.map(entryOf).filter((entry) => id === undefined || entry.id === id);
        yield isByIndex ? (await pMap(entries, read, { concurrency: readsInFlight })).flat() : entries;
      }
    },
    put: (principal: Principal, plants: readonly IdentifiedPlant[], onWritten: OnWritten) =>
      writeAll(plants, (plant) => ({ PutRequest: { Item: itemOf(principal, plant) } }), onWritten),
    delete: (entries: readonly Entry[], onWritten?: OnWritten) =>
      writeAll(entries, (entry) => ({ DeleteRequest: { Key: keyOf(entry) } }), onWritten),
  };
};

/** Called with the number of items of a batch that were written. */
type OnWritten = (items: number) => void;

const keyOf = ({ principal, sortKey }: Entry) => ({ principal: { S: principal }, sortKey: { S: sortKey } });

const entryOf = (item: Record<string, AttributeValue>): Entry => {
  const [principal = '', sortKey = ''] = [textOf(item['principal']), textOf(item['sortKey'])];
  const id = idIn(sortKey);
  const isIndexed = textOf(item[plantIndex.partitionKey]) === id;
  return { principal, sortKey, id, plant: parseItem(item)?.plant, isIndexed };
};
