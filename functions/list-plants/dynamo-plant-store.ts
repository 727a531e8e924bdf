import {
  type AttributeValue,
  type DynamoDBClient,
  DynamoDBServiceException,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { catalogue, ServiceError } from './errors.ts';
import { isPlaceOf, isSortKey, type StoredPlant } from './plant.ts';
import type { PlantStore } from './plant-store.ts';

const maxInt32 = 2_147_483_647;

/** The store as a DynamoDB table: partition key `principal`, sort key `sortKey`, attributes `name` and `tag`. */
export const dynamoPlantStore = (client: DynamoDBClient, tableName: string): PlantStore => ({
  readPlants: async ({ principal, after, limit }, signal) => {
    const query = new QueryCommand({
      TableName: tableName,
      // Going on from a key rather than a page works also when the item at that key is gone.
      KeyConditionExpression: `principal = :principal${after === undefined ? '' : ' AND sortKey > :after'}`,
      ExpressionAttributeValues: {
        ':principal': { S: principal },
        ...(after !== undefined && { ':after': { S: after } }),
      },
      ProjectionExpression: 'sortKey, #name, tag',
      ExpressionAttributeNames: { '#name': 'name' },
      Limit: limit === undefined ? undefined : Math.min(limit, maxInt32),
    });
    const { Items: items, LastEvaluatedKey: lastKey } = await client
      .send(query, { abortSignal: signal })
      .catch((error: unknown) => {
        throw isOurMistake(error) ? error : new ServiceError(catalogue.storeUnavailable, { cause: error });
      });
    // What is no list of items is no answer of the store's, and must not pass for an empty list.
    if (items === undefined) throw new ServiceError(catalogue.storeUnavailable);
    const plants = items.map(parseItem).filter((plant) => plant !== undefined);
    return { plants, damaged: items.length - plants.length, next: lastKey?.['sortKey']?.S };
  },
});

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** A request the store refused for good; everything else is no answer or an overload, left after the SDK's retries. */
const isOurMistake = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException && error.$fault === 'client' && !throttles.has(error.name);

/** Attributes are read as they come: the SDK's `unmarshall` costs more than the parsing of the JSON text. */
const parseItem = ({ sortKey, name, tag }: Record<string, AttributeValue>): StoredPlant | undefined => {
  if (!isSortKey(sortKey?.S) || name?.S === undefined || !isPlaceOf(sortKey.S, name.S)) return undefined;
  if (tag === undefined) return { sortKey: sortKey.S, plant: { name: name.S } };
  return tag.S === undefined ? undefined : { sortKey: sortKey.S, plant: { name: name.S, tag: tag.S } };
};
