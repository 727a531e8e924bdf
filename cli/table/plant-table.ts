import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
  type KeysAndAttributes,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type QueryCommandOutput,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { plantIndex } from '../../table/plant-index.ts';
import { idIn } from '../../table/sort-key.ts';
import { UserError } from '../../terminal/user-error.ts';
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
import { type TableWrites, tableWrites } from './table-writes.ts';

type Pages<T> = AsyncIterable<readonly T[]>;

/** What the commands read and write. An interrupted command's reads end with the reason of its signal. */
export interface PlantTable extends TableWrites {
  readonly name: string;
  /** Whether this is its name or its ARN. */
  readonly isNamed: (name: string) => boolean;
  /** Another table at the same place; its name can be an ARN. */
  readonly beside: (name: string) => PlantTable;
  /**
   * A principal's items in name order, page by page.
   * @param isConsistent false: as they were about a second ago, for half the cost
   */
  readonly plantsOf: (range: KeyRange, pace?: ReadPace, isConsistent?: boolean) => Pages<Grant>;
  /** The whole table, likewise, each principal's items together; not consistent unless that is asked for. */
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
/** One page is in memory at once. DynamoDB Local takes as long for a small page as for a large one. */
const scanPageSize = 5000;
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
    Limit: pageSize,
  });

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
      // An item can be under another id than its own, which check --repair repairs.
      for await (const items of pages) yield items.map(keyFrom).filter((key) => idIn(key.sortKey) === id);
    } catch (error) {
      throw missingIndex(error);
    }
  };

  return {
    name,
    isNamed: (other) => withoutArn(other) === withoutArn(name),
    beside: (other) => plantTable(client, withoutArn(other), signal),
    ...tableWrites(client, name, wait),
    plantsOf: async function* (range, pace, isConsistent = true) {
      for await (const items of query({ ...inPartition(range), ConsistentRead: isConsistent }, pace))
        // A range of two bounds includes the one before it.
        yield items.map(grantFrom).filter(({ sortKey }) => sortKey !== range.after);
    },
    allPlants: async function* (pace, isConsistent = false) {
      const pages = paginateScan(
        { client },
        {
          TableName: name,
          ReturnConsumedCapacity: 'TOTAL',
          ConsistentRead: isConsistent,
          Limit: scanPageSize,
        },
      );
      for await (const items of paced(pages, pace, signal)) yield items.map(grantFrom);
    },
    isEmpty: async (principal, pace) => {
      const one = { TableName: name, ReturnConsumedCapacity: 'TOTAL', Limit: 1 } as const;
      const pages =
        principal === undefined
          ? paced(paginateScan({ client }, one), unpaced, signal)
          : query({ ...inPartition({ principal }), ...one, ConsistentRead: true }, pace);
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

const missingIndex = (error: unknown): unknown =>
  error instanceof Error && error.name === 'ValidationException' && /index/i.test(error.message)
    ? new MissingIndex(
        `The table has no index ${plantIndex.name}, or it is still being built. Deploy the stack again with npm run deploy, or wait for it.`,
      )
    : error;
