import { parseItem } from '../../table/item.ts';
import { itemKey, primaryKey } from '../../table/keys.ts';
import { projection } from '../../table/projection.ts';
import type { DynamoDbClient } from '../dynamodb/client.ts';
import { DynamoDbError, transientError } from '../dynamodb/protocol.ts';
import { query } from '../dynamodb/query.ts';
import { type PlantStore, StoreUnavailable } from './plant-store.ts';

const principalCondition = `${primaryKey.partitionKey} = :principal`;
const upToCondition = `${primaryKey.sortKey} <= :upTo`;

/** The plant store in a DynamoDB table, whose items `table/` describes. */
export const dynamoDbPlantStore = (client: DynamoDbClient, tableName: string): PlantStore => ({
  read: async ({ principal, after, upTo, limit }, signal) => {
    const input = {
      TableName: tableName,
      KeyConditionExpression:
        upTo === undefined ? principalCondition : `${principalCondition} AND ${upToCondition}`,
      ExpressionAttributeValues: {
        ':principal': { S: principal },
        ...(upTo !== undefined && { ':upTo': { S: upTo } }),
      },
      // DynamoDB continues after this key even if no item has it.
      ExclusiveStartKey: after === undefined ? undefined : itemKey(principal, after),
      ...projection,
      Limit: limit,
    };
    const { Items: items, LastEvaluatedKey: lastKey } = await client
      .send(query, input, signal)
      .catch(throwStoreError);
    const plants = items.map(parseItem).filter((plant) => plant !== undefined);
    const next = lastKey?.[primaryKey.sortKey]?.S;
    // Without the sort key of the last item, later plants would silently be omitted.
    if (lastKey !== undefined && next === undefined) {
      throw new StoreUnavailable(transientError('NoSortKey'));
    }
    return { plants, damaged: items.length - plants.length, next };
  },
});

/** Throws `StoreUnavailable` in place of a transient error of the client, and any other error as it is. */
export const throwStoreError = (error: unknown): never => {
  throw error instanceof DynamoDbError && error.transient ? new StoreUnavailable(error) : error;
};
