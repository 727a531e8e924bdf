import { principalsOf } from '../../functions/http/principals.ts';
import { catalogue } from '../../functions/list-plants/errors.ts';
import { parseLimit } from '../../functions/list-plants/limit.ts';
import { ServiceError } from '../../functions/http/service-error.ts';
import type { Plant } from '../../table/plant.ts';
import { compareUtf8 } from '../../table/order.ts';
import { readItems } from './read-items.ts';

/** The limit without a `limit` parameter: more plants than any response can hold. */
const noLimit = 370_000;

/**
 * The operation without a framework, so that the alternatives differ only in the framework. The product's
 * code checks caller and limit, and compares plants.
 * @param context from the authorizer
 * @param limits all values of the `limit` parameter
 * @throws {ServiceError}
 */
export const listPlants = async (context: unknown, limits: readonly string[]): Promise<readonly Plant[]> => {
  const principals = principalsOf({ requestContext: { authorizer: { lambda: context } } }, Date.now());
  const limit = parseLimit(limits) ?? noLimit;
  if (limit === 0) return [];
  const items = await Promise.all(principals.map((principal) => readItems(principal, limit)));
  return items
    .flat()
    .sort((a, b) => compareUtf8(a.sortKey, b.sortKey))
    .filter(({ sortKey }, index, sorted) => sortKey !== sorted[index - 1]?.sortKey)
    .slice(0, limit)
    .map(({ name, tag }) => (tag === undefined ? { name } : { name, tag }));
};

/** The response to a request that failed with `thrown`. */
export const errorResponse = (thrown: unknown): { readonly statusCode: number; readonly body: object } => {
  const { statusCode, error, message } = thrown instanceof ServiceError ? thrown.entry : catalogue.unexpected;
  return { statusCode, body: { error, message } };
};
