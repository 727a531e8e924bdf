import { parseLimit } from '../../functions/list-plants/http/limit.ts';
import type { Plant } from '../../table/plant.ts';
import { principalsOf } from '../../functions/list-plants/principals.ts';
import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/utf8-order.ts';

/** An item as the table holds it, in JavaScript's own types. */
export interface Item {
  readonly sortKey: string;
  readonly name: string;
  readonly tag?: string | undefined;
}

/** Reads a principal's items in order: all, or `limit` at least when there are as many. */
export type ReadItems = (principal: Principal, limit: number | undefined) => Promise<readonly Item[]>;

/**
 * The operation without any framework or client, so that the peers differ in nothing else.
 * It checks, orders and removes duplicates with the product's own functions.
 * @param context what the authorizer told
 * @param limits all values of the `limit` parameter
 * @throws {ServiceError}
 */
export const listPlants = async (
  readItems: ReadItems,
  context: unknown,
  limits: readonly string[],
): Promise<readonly Plant[]> => {
  const principals = principalsOf(context, Date.now());
  const limit = parseLimit(limits);
  if (limit === 0) return [];
  const items = await Promise.all(principals.map((principal) => readItems(principal, limit)));
  return items
    .flat()
    .sort((a, b) => compareUtf8(a.sortKey, b.sortKey))
    .filter(({ sortKey }, index, sorted) => sortKey !== sorted[index - 1]?.sortKey)
    .slice(0, limit)
    .map(({ name, tag }) => (tag === undefined ? { name } : { name, tag }));
};
