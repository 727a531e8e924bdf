import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
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
import { startBackoff } from './backoff.ts';
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
const readsInFlight = 16;

/** @throws {UserError} if it is not a table of plants, or there is no such stage or service */
export const openTable = async (options: TableOptions): Promise<PlantTable> => {
  const { name: TableName, ...config } = await findTable(options);
  const client = new DynamoDBClient({
    retryMode: 'standard',
    maxAttempts: 3,
    ...config,
  });
  const command = new DescribeTableCommand({ TableName });
  const { Table: table } = await whileThrottled(() => client.send(command));
  const types = new Map(table?.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]));
  const keys = table?.KeySchema?.map(({ AttributeName: key }) => `${key ?? ''} ${types.get(key) ?? ''}`);
  if (keys?.join() === 'principal S,sortKey S') return plantTable(client, TableName);
  throw new UserError(`${TableName} is not a table of plants. Name another one.`);
};

/** Repeats a request while DynamoDB throttles it. */
const whileThrottled = async <Response>(
  send: () => Promise<Response>,
  backoff = startBackoff(),
): Promise<Response> => {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Error && isThrottling(error.name))) throw error;
      await backoff(false);
    }
  }
};

export type PlantTable = ReturnType<typeof plantTable>;

const plantTable = (client: DynamoDBClient, TableName: string) => {
  const read = async (key: Entry): Promise<readonly Entry[]> => {
    const command = new GetItemCommand({ TableName, Key: keyOf(key), ConsistentRead: true });
    const { Item: item } = await whileThrottled(() => client.send(command));
    return item === undefined ? [] : [entryOf(item)];
  };
  const write = async (batch: WriteRequest[], onWritten: OnWritten): Promise<void> => {
    const backoff = startBackoff();
    for (let left = batch; left.length > 0;) {
      const command = new BatchWriteItemCommand({ RequestItems: { [TableName]: left } });
      const { UnprocessedItems } = await whileThrottled(() => client.send(command), backoff);
      const unprocessed = UnprocessedItems?.[TableName] ?? [];
      const written = left.length - unprocessed.length;
      onWritten(written);
      if (unprocessed.length > 0) await backoff(written > 0);
      left = unprocessed;
    }
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
      let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
      do {
        const command =
          value === undefined
            ? new ScanCommand({ TableName, ExclusiveStartKey })
            : new QueryCommand({ ...query, ExclusiveStartKey });
        const { Items: items = [], LastEvaluatedKey } = await whileThrottled(() => client.send(command));
        const entries = items.map(entryOf).filter((entry) => id === undefined || entry.id === id);
        yield isByIndex ? (await pMap(entries, read, { concurrency: readsInFlight })).flat() : entries;
        ExclusiveStartKey = LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
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
