import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import {
  maxReadsInFlight,
  type PlantStore,
  StoreUnavailable,
} from '../../../functions/plant-store/plant-store.ts';
import { parseItem } from '../../../table/item.ts';
import { itemKey, primaryKey } from '../../../table/keys.ts';
import { projection } from '../../../table/projection.ts';

/** The SDK's client, bounded as the deployed one. The environment has Region, credentials and endpoint. */
export const sdkClient = (): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      requestTimeout: 2000,
      throwOnRequestTimeout: true,
      httpsAgent: { maxSockets: maxReadsInFlight },
    },
  });

const principalCondition = `${primaryKey.partitionKey} = :principal`;
const upToCondition = `${primaryKey.sortKey} <= :upTo`;

/** The plant store in a DynamoDB table, read with the AWS SDK: an alternative to the deployed one. */
export const sdkPlantStore = (client: DynamoDBClient, tableName: string): PlantStore => ({
  read: async ({ principal, after, upTo, limit }, signal) => {
    const query = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression:
        upTo === undefined ? principalCondition : `${principalCondition} AND ${upToCondition}`,
      ExpressionAttributeValues: {
        ':principal': { S: principal },
        ...(upTo !== undefined && { ':upTo': { S: upTo } }),
      },
      ...(after !== undefined && {
        ExclusiveStartKey: itemKey(principal, after),
      }),
      ...projection,
      Limit: limit,
    });
    const output = await client.send(query, { abortSignal: signal }).catch((error: unknown) => {
      throw isUnavailable(error) ? new StoreUnavailable(error) : error;
    });
    const items = output.Items ?? [];
    const plants = items.map(parseItem).filter((plant) => plant !== undefined);
    return {
      plants,
      damaged: items.length - plants.length,
      next: output.LastEvaluatedKey?.[primaryKey.sortKey]?.S,
    };
  },
});

type SdkError = Parameters<typeof isServerError>[0];
const isSdkError = (error: unknown): error is SdkError => error instanceof Error;

/** Whether the same request may succeed later. */
const isUnavailable = (error: unknown): boolean =>
  isSdkError(error) && (isThrottlingError(error) || isTransientError(error) || isServerError(error));
