import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  type KeysAndAttributes,
  paginateQuery,
  paginateScan,
  PutItemCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  type ScanCommandOutput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { plantIndex } from '../../table/plant-index.ts';
import { UserError } from '../../terminal/user-error.ts';
import { type BatchWriter, batchWriter, type WriteOnce } from './batch-writer.ts';
import {
  type Grant,
  type GrantKey,
  grantFrom,
  keyFrom,
  keyOf,
  type KeyRange,
  type StoredItem,
} from './grant.ts';
import { patience, waitUntilAborted } from './patience.ts';
import { type ReadPace, unpaced } from './read-pace.ts';
import { unchanged } from './unchanged.ts';

type Pages<T> = AsyncIterable<readonly T[]>;

/** The reads and writes of the commands. An interrupted command's reads end with the reason of its signal. */
export interface PlantTable {
  readonly name: string;
  /** Whether this is its name or its ARN. */
  readonly isNamed: (name: string) => boolean;
  /** Another table at the same place; its name can be an ARN. */
  readonly beside: (name: string) => PlantTable;
  readonly writeOnce: WriteOnce;
  /** Writes without conditions, in batches. */
  readonly writer: () => BatchWriter;
  /**
   * Puts one item in place of another of the same key. One of them can be missing.
   * @returns false, and does nothing, when the other is no longer what was read
   */
  readonly replace: (item: StoredItem | undefined, read: StoredItem | undefined) => Promise<boolean>;
  /** Writes the id under which the index has an item. @returns false when that, or the item, changed meanwhile */
  readonly setPlantId: (read: Grant, id: string) => Promise<boolean>;
  /** A principal's items in name order, page by page. */
  readonly plantsOf: (range: KeyRange, pace?: ReadPace) => Pages<Grant>;
  /**
   * The whole table, page by page, each principal's items together and in name order.
   * @param isConsistent false: as they were about a second ago, for half the cost
   */
  readonly allPlants: (pace: ReadPace, isConsistent?: boolean) => Pages<Grant>;
  /** Whether a principal, or everyone, has no item. */
  readonly isEmpty: (principal?: string, pace?: ReadPace) => Promise<boolean>;
  /** The keys of one plant's grants, found by the index, page by page. @throws {MissingIndex} */
  readonly grantsOf: (id: string, principal?: string) => Pages<GrantKey>;
  /** Whether the table can be searched by id. */
  readonly hasIndex: () => Promise<boolean>;
  /** The items with these keys, without those that are gone. */
  readonly plantsAt: (keys: readonly GrantKey[]) => Promise<readonly Grant[]>;
}

/** The table cannot be searched by id. */
export class MissingIndex extends UserError {}

/** So that many pages in memory at once stay small. */
const pageSize = 1000;
/** AWS: BatchGetItem takes up to 100 keys. */
const maxKeys = 100;

export const plantTable = (client: DynamoDBClient, name: string, signal: AbortSignal): PlantTable => {
  const wait = waitUntilAborted(signal);

  const query = (input: Omit<QueryCommandInput, 'TableName'>, pace = unpaced): Pages<StoredItem> =>
    paced(
      paginateQuery({ client }, { TableName: name, ReturnConsumedCapacity: 'TOTAL', ...input }),
      pace,
      signal,
    );
  const inPartition = ({ principal, after, upTo }: KeyRange): Omit<QueryCommandInput, 'TableName'> => ({
    KeyConditionExpression: ['principal = :principal', ...sortKeyConditions(after, upTo)].join(' AND '),
    ExpressionAttributeValues: {
      ':principal': { S: principal },
      ...(after !== undefined && { ':after': { S: after } }),
      ...(upTo !== undefined && { ':upTo': { S: upTo } }),
    },
    ConsistentRead: true,
    Limit: pageSize,
  });

  const writeOnce: WriteOnce = async (requests) => {
    const { UnprocessedItems: left = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [name]: [...requests] } }),
    );
    return left[name] ?? [];
  };

  const grantsOf: PlantTable['grantsOf'] = async function* (id, principal) {
    const { partitionKey, sortKey } = plantIndex;
    const pages = query({
      IndexName: plantIndex.name,
      KeyConditionExpression: `${partitionKey} = :id${principal === undefined ? '' : ` AND ${sortKey} = :principal`}`,
      ExpressionAttributeValues: {
        ':id': { S: id },
        ...(principal !== undefined && { ':principal': { S: principal } }),
      },
    });
    try {
      for await (const items of pages) yield items.map(keyFrom);
    } catch (error) {
      throw missingIndex(error);
    }
  };

  return {
    name,
    isNamed: (other) => withoutArn(other) === withoutArn(name),
    beside: (other) => plantTable(client, withoutArn(other), signal),
    writeOnce,
    writer: () => batchWriter(writeOnce, wait),
    replace: async (item, read) => {
      const condition = { TableName: name, ...unchanged(read) };
      if (item !== undefined) return succeeds(client.send(new PutItemCommand({ ...condition, Item: item })));
      if (read === undefined) return true;
      return succeeds(client.send(new DeleteItemCommand({ ...condition, Key: keyOf(keyFrom(read)) })));
    },
    setPlantId: ({ item: { plantId }, ...key }, id) =>
      succeeds(
        client.send(
          new UpdateItemCommand({
            TableName: name,
            Key: keyOf(key),
            UpdateExpression: 'SET plantId = :id',
            ConditionExpression: `attribute_exists(principal) AND ${plantId === undefined ? 'attribute_not_exists(plantId)' : 'plantId = :read'}`,
            ExpressionAttributeValues: {
              ':id': { S: id },
              ...(plantId !== undefined && { ':read': plantId }),
            },
          }),
        ),
      ),
    plantsOf: async function* (range, pace) {
      for await (const items of query(inPartition(range), pace))
        // A range of two bounds includes the one before it.
        yield items.map(grantFrom).filter(({ sortKey }) => sortKey !== range.after);
    },
    allPlants: async function* (pace, isConsistent = false) {
      const pages = paginateScan(
        { client },
        { TableName: name, ReturnConsumedCapacity: 'TOTAL', ConsistentRead: isConsistent, Limit: pageSize },
      );
      for await (const items of paced(pages, pace, signal)) yield items.map(grantFrom);
    },
    isEmpty: async (principal, pace) => {
      const one = { TableName: name, ReturnConsumedCapacity: 'TOTAL', Limit: 1 } as const;
      const pages =
        principal === undefined
          ? paced(paginateScan({ client }, one), unpaced, signal)
          : query({ ...inPartition({ principal }), ...one }, pace);
      for await (const items of pages) if (items.length > 0) return false;
      return true;
    },
    grantsOf,
    hasIndex: async () => {
      try {
        await grantsOf('no plant')[Symbol.asyncIterator]().next();
        return true;
      } catch (error) {
        if (error instanceof MissingIndex) return false;
        throw error;
      }
    },
    plantsAt: async (keys) => {
      const found: Grant[] = [];
      for (let start = 0; start < keys.length; start += maxKeys) {
        const throttling = patience(wait);
        let left: Record<string, KeysAndAttributes> = {
          [name]: { Keys: keys.slice(start, start + maxKeys).map(keyOf), ConsistentRead: true },
        };
        while (left[name] !== undefined) {
          const { Responses: items = {}, UnprocessedKeys: unread = {} }: BatchGetItemCommandOutput =
            await client.send(new BatchGetItemCommand({ RequestItems: left }));
          found.push(...(items[name] ?? []).map(grantFrom));
          left = unread;
          if (left[name] !== undefined) await throttling.wait();
        }
      }
      return found;
    },
  };
};

const withoutArn = (name: string): string => name.split(':table/').at(-1) ?? name;

const paced = async function* (
  pages: AsyncIterable<QueryCommandOutput | ScanCommandOutput>,
  pace: ReadPace,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredItem[]> {
  for await (const { Items: items = [], ConsumedCapacity: consumed } of pages) {
    signal.throwIfAborted();
    yield items;
    await pace(consumed?.CapacityUnits ?? 0);
  }
};

const sortKeyConditions = (after: string | undefined, upTo: string | undefined): readonly string[] => {
  if (after !== undefined && upTo !== undefined) return ['sortKey BETWEEN :after AND :upTo'];
  if (after !== undefined) return ['sortKey > :after'];
  return upTo === undefined ? [] : ['sortKey <= :upTo'];
};

/** @returns false when the condition of a write is not met */
const succeeds = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

const missingIndex = (error: unknown): unknown =>
  error instanceof Error && error.name === 'ValidationException' && /index/i.test(error.message)
    ? new MissingIndex(
        `The table has no index ${plantIndex.name}, or it is still being built. Deploy the stack again with npm run deploy, or wait for it.`,
      )
    : error;
