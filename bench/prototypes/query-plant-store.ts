import { catalogue, ServiceError } from '../../functions/list-plants/errors.ts';
import { isPlaceOf, isSortKey, type StoredPlant } from '../../functions/list-plants/plant.ts';
import type { PlantStore } from '../../functions/list-plants/plant-store.ts';

const maxInt32 = 2_147_483_647;

/** An attribute that is a string; whatever else it is, it is not a plant's. */
export type StringAttribute = { readonly S?: unknown } | undefined;

/** The Query of DynamoDB's API, as far as the store uses it. */
export interface QueryInput {
  readonly TableName: string;
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, { readonly S: string }>>;
  readonly ProjectionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly Limit: number | undefined;
}

export interface QueryOutput {
  readonly Items?: readonly Readonly<Record<string, StringAttribute>>[];
  readonly LastEvaluatedKey?: Readonly<Record<string, StringAttribute>>;
}

export type Query = (input: QueryInput, signal: AbortSignal) => Promise<QueryOutput>;

/** A refusal by the store that no retry mends: our mistake. */
export class QueryRefused extends Error {
  override readonly name = 'QueryRefused';
}

/** The product's store, over another client. */
export const queryPlantStore = (query: Query, tableName: string): PlantStore => ({
  readPlants: async ({ principal, after, limit }, signal) => {
    const output = await query(
      {
        TableName: tableName,
        KeyConditionExpression: `principal = :principal${after === undefined ? '' : ' AND sortKey > :after'}`,
        ExpressionAttributeValues: {
          ':principal': { S: principal },
          ...(after !== undefined && { ':after': { S: after } }),
        },
        ProjectionExpression: 'sortKey, #name, tag',
        ExpressionAttributeNames: { '#name': 'name' },
        Limit: limit === undefined ? undefined : Math.min(limit, maxInt32),
      },
      signal,
    ).catch((error: unknown) => {
      throw error instanceof QueryRefused
        ? error
        : new ServiceError(catalogue.storeUnavailable, { cause: error });
    });
    const items = output.Items ?? [];
    const plants = items.map(parseItem).filter((plant) => plant !== undefined);
    const next = output.LastEvaluatedKey?.['sortKey']?.S;
    return {
      plants,
      damaged: items.length - plants.length,
      next: typeof next === 'string' ? next : undefined,
    };
  },
});

const parseItem = ({
  sortKey,
  name,
  tag,
}: Readonly<Record<string, StringAttribute>>): StoredPlant | undefined => {
  const key = sortKey?.S;
  const plantName = name?.S;
  if (!isSortKey(key) || typeof plantName !== 'string' || !isPlaceOf(key, plantName)) return undefined;
  if (tag === undefined) return { sortKey: key, plant: { name: plantName } };
  return typeof tag.S === 'string' ? { sortKey: key, plant: { name: plantName, tag: tag.S } } : undefined;
};
