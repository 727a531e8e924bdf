import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { variable } from '../../functions/runtime/environment.ts';
import type { Principal } from '../../table/principal.ts';

/** An item of the table in JavaScript's types. */
interface Item {
  readonly sortKey: string;
  readonly name: string;
  readonly tag?: string;
}

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const tableName = variable(process.env, 'TABLE_NAME');

/**
 * Reads a principal's items in order, until there are at least `limit`. Uses a document client, and continues
 * at `LastEvaluatedKey`, as the SDK's documentation shows.
 */
export const readItems = async (principal: Principal, limit: number): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let lastKey: QueryCommandOutput['LastEvaluatedKey'];
  do {
    const page: QueryCommandOutput = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'principal = :principal',
        ExpressionAttributeValues: { ':principal': principal },
        ProjectionExpression: 'sortKey, #name, tag',
        ExpressionAttributeNames: { '#name': 'name' },
        Limit: limit,
        ExclusiveStartKey: lastKey,
      }),
    );
    items.push(...(page.Items ?? []).filter(isItem));
    lastKey = page.LastEvaluatedKey;
  } while (lastKey !== undefined && items.length < limit);
  return items;
};

const isItem = (item: object): item is Item =>
  'sortKey' in item && typeof item.sortKey === 'string' && 'name' in item && typeof item.name === 'string';
