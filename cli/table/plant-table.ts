import { setTimeout } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateQuery,
  paginateScan,
  type ScanCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { isThrottling } from '../../table/error-codes.ts';
import { parseItem } from '../../table/item.ts';
import type { IdentifiedPlant } from '../../table/plant.ts';
import { idIn, sortKeyOf } from '../../table/sort-key.ts';
import { UserError } from '../../terminal/user-error.ts';
import { batchWriter, type WriteOnce } from './batch-writer.ts';

/** An item of the table; `plant` is undefined for a damaged item. */
export interface Grant {
  readonly principal: string;
  readonly sortKey: string;
  readonly plant: IdentifiedPlant | undefined;
}

/** The reads and writes of the commands. */
export interface PlantTable {
  readonly writeOnce: WriteOnce;
  /** Writes a few requests, and waits for all of them. */
  readonly write: (requests: readonly WriteRequest[]) => Promise<void>;
  /** A principal's plants in name order, page by page. */
  readonly plantsOf: (principal: string) => AsyncIterable<readonly Grant[]>;
  /** The whole table, page by page, each principal's plants together and in name order. */
  readonly allPlants: () => AsyncIterable<readonly Grant[]>;
  /**
   * All grants of a plant, which reads the whole table, or only those of one principal.
   * @throws {UserError} when there are none
   */
  readonly grantsOf: (id: string, principal?: string) => Promise<readonly Grant[]>;
}

export const plantTable = (client: DynamoDBClient, tableName: string): PlantTable => {
  const plantsOf: PlantTable['plantsOf'] = async function* (principal) {
    const pages = paginateQuery(
      { client },
      {
        TableName: tableName,
        KeyConditionExpression: 'principal = :principal',
        ExpressionAttributeValues: { ':principal': { S: principal } },
        ConsistentRead: true,
      },
    );
    for await (const { Items: items = [] } of pages) yield items.map(grantFrom);
  };
  const scan = async function* (
    filter: Pick<ScanCommandInput, 'FilterExpression' | 'ExpressionAttributeValues'> = {},
  ): AsyncGenerator<readonly Grant[]> {
    const pages = paginateScan({ client }, { TableName: tableName, ConsistentRead: true, ...filter });
    for await (const { Items: items = [] } of pages) yield items.map(grantFrom);
  };
  const grantsInTable = (id: string): AsyncIterable<readonly Grant[]> =>
    scan({
      FilterExpression: 'contains(sortKey, :end)',
      ExpressionAttributeValues: { ':end': { S: sortKeyOf('', id) } },
    });
  const writeOnce: WriteOnce = async (requests) => {
    try {
      const { UnprocessedItems: left = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName]: [...requests] } }),
      );
      return left[tableName] ?? [];
    } catch (error) {
      // A throttled batch was not written at all.
      if (error instanceof Error && isThrottling(error.name)) return requests;
      throw error;
    }
  };
  return {
    writeOnce,
    write: async (requests) => {
      const writer = batchWriter(writeOnce, setTimeout);
      for (const request of requests) await writer.put(request);
      await writer.finish();
    },
    plantsOf,
    allPlants: scan,
    grantsOf: async (id, principal) => {
      const found: Grant[] = [];
      for await (const page of principal === undefined ? grantsInTable(id) : plantsOf(principal)) {
        found.push(...page.filter(({ sortKey }) => idIn(sortKey) === id));
      }
      if (found.length > 0) return found;
      const where = principal === undefined ? '' : ' in --from';
      throw new UserError(
        `There is no plant with this id${where}. The commands list and export print the ids.`,
      );
    },
  };
};

const grantFrom = (item: Readonly<Record<string, AttributeValue>>): Grant => {
  const sortKey = item['sortKey']?.S ?? '';
  const stored = parseItem(item);
  return {
    principal: item['principal']?.S ?? '',
    sortKey,
    plant: stored && { id: idIn(sortKey), ...stored.plant },
  };
};
