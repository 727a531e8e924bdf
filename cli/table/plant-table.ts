import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateQuery,
  paginateScan,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { IdentifiedPlant } from '../../table/item.ts';
import type { WriteOnce } from './batch-writer.ts';

/** A plant where it is granted; `plant` is undefined for an item that is not in the table's shape. */
export interface Grant {
  readonly principal: string;
  readonly sortKey: string;
  readonly plant: IdentifiedPlant | undefined;
}

/** What the commands do with the table (README, "Data"). */
export interface PlantTable {
  readonly writeOnce: WriteOnce;
  /** A principal's plants in name order, page by page. */
  readonly plantsOf: (principal: string) => AsyncIterable<readonly Grant[]>;
  /** The whole table, page by page, a principal's plants together and in name order. */
  readonly allPlants: () => AsyncIterable<readonly Grant[]>;
  /** Where a plant is granted; reads the whole table, unless one principal is asked for. */
  readonly grantsOf: (id: string, principal?: string) => Promise<readonly Grant[]>;
}

type Item = Readonly<Record<string, AttributeValue>>;

const separator = '\u0000';
/** The store's answers when it has too much to do; it took none of a batch then. */
const throttling = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

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
      ExpressionAttributeValues: { ':end': { S: `${separator}${id}` } },
    });
  return {
    writeOnce: async (requests) => {
      try {
        const { UnprocessedItems: left = {} } = await client.send(
          new BatchWriteItemCommand({ RequestItems: { [tableName]: [...requests] } }),
        );
        return left[tableName] ?? [];
      } catch (error) {
        if (error instanceof Error && throttling.has(error.name)) return requests;
        throw error;
      }
    },
    plantsOf,
    allPlants: scan,
    grantsOf: async (id, principal) => {
      const found: Grant[] = [];
      for await (const page of principal === undefined ? grantsInTable(id) : plantsOf(principal)) {
        found.push(...page.filter(({ sortKey }) => idIn(sortKey) === id));
      }
      return found;
    },
  };
};

/** An id holds no U+0000, and neither does a name. */
const idIn = (sortKey: string): string => sortKey.slice(sortKey.indexOf(separator) + 1);

const grantFrom = (item: Item): Grant => {
  const sortKey = item['sortKey']?.S ?? '';
  return { principal: item['principal']?.S ?? '', sortKey, plant: plantFrom(item, sortKey) };
};

const plantFrom = ({ name, tag }: Item, sortKey: string): IdentifiedPlant | undefined => {
  const id = idIn(sortKey);
  if (name?.S === undefined || id === '' || sortKey !== `${name.S}${separator}${id}`) return undefined;
  if (tag === undefined) return { id, name: name.S };
  return tag.S === undefined ? undefined : { id, name: name.S, tag: tag.S };
};
