import { parseItem, projection } from '../../table/item.ts';
import { commonErrors, ServiceError } from '../http/errors.ts';
import type { PlantStore } from './plant-store.ts';
import type { DynamoDbClient } from '../dynamodb/client.ts';
import { DynamoDbError } from '../dynamodb/protocol.ts';

/** The plant store in a DynamoDB table, whose items `table/` describes. */
export const dynamoDbPlantStore = (client: DynamoDbClient, tableName: string): PlantStore => ({
  read: async ({ principal, after, upTo, limit }, signal) => {
    const input = {
      TableName: tableName,
      KeyConditionExpression: `principal = :principal${upTo === undefined ? '' : ' AND sortKey <= :upTo'}`,
      ExpressionAttributeValues: {
        ':principal': { S: principal },
        ...(upTo !== undefined && { ':upTo': { S: upTo } }),
      },
      // An item with this key need not exist.
      ExclusiveStartKey:
        after === undefined ? undefined : { principal: { S: principal }, sortKey: { S: after } },
      ...projection,
      Limit: limit,
    };
    const output = await client.query(input, signal).catch((error: unknown) => {
      const unavailable = error instanceof DynamoDbError && error.transient;
      throw unavailable ? new ServiceError(commonErrors.storeUnavailable, { cause: error }) : error;
    });
    const plants = output.Items.map(parseItem).filter((plant) => plant !== undefined);
    const next = output.LastEvaluatedKey?.sortKey.S;
    return { plants, damaged: output.Items.length - plants.length, next };
  },
});
