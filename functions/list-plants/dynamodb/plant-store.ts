import type { Query } from './client.ts';
import { type Attribute, DynamoDbError, type QueryOutput } from './query.ts';
import { catalogue, ServiceError } from '../errors.ts';
import { isPlaceOf, isSortKey, type StoredPlant } from '../../../table/sort-key.ts';
import type { PlantStore } from '../plant-store.ts';

const maxInt32 = 2_147_483_647;

/** The store as a DynamoDB table: partition key `principal`, sort key `sortKey`, attributes `name` and `tag`. */
export const dynamoPlantStore = (query: Query, tableName: string): PlantStore => ({
  readPlants: async ({ principal, after, limit }, signal) => {
    const input = {
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
    };
    const { Items: items, LastEvaluatedKey: lastKey } = await query(input, signal).catch((error: unknown) => {
      const unavailable = error instanceof DynamoDbError && error.transient;
      throw unavailable ? new ServiceError(catalogue.storeUnavailable, { cause: error }) : error;
    });
    const plants = items.map(parseItem).filter((plant) => plant !== undefined);
    return { plants, damaged: items.length - plants.length, next: placeOf(lastKey) };
  },
});

/** @throws {ServiceError} on a key that is no place: what follows would be missing without a word */
const placeOf = (lastKey: QueryOutput['LastEvaluatedKey']): string | undefined => {
  if (lastKey === undefined) return undefined;
  const sortKey = textOf(lastKey['sortKey']);
  if (sortKey !== undefined) return sortKey;
  throw new ServiceError(catalogue.storeUnavailable, { cause: new DynamoDbError('NoLastKey', true) });
};

const parseItem = (item: Readonly<Record<string, Attribute>>): StoredPlant | undefined => {
  const sortKey = textOf(item['sortKey']);
  const name = textOf(item['name']);
  if (!isSortKey(sortKey) || name === undefined || !isPlaceOf(sortKey, name)) return undefined;
  if (item['tag'] === undefined) return { sortKey, plant: { name } };
  const tag = textOf(item['tag']);
  return tag === undefined ? undefined : { sortKey, plant: { name, tag } };
};

const textOf = (attribute: Attribute): string | undefined =>
  typeof attribute?.S === 'string' ? attribute.S : undefined;
