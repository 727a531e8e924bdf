import { parseLimit } from '../../functions/list-plants/respond.ts';
import type { Plant } from '../../table/plant.ts';
import { principalsOf } from '../../functions/http/principals.ts';
import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/utf8.ts';

/** An item of the table in JavaScript's types. */
export interface Item {
  readonly sortKey: string;
  readonly name: string;
  readonly tag?: string;
}

/** Reads a principal's items in order: all, or at least `limit` if there are that many. */
export type ReadItems = (principal: Principal, limit: number) => Promise<readonly Item[]>;

/**
 * The operation without framework and client, so that the alternatives differ only in those.
 * The product's functions validate and compare.
 * @param context from the authorizer
 * @param limits all values of the `limit` parameter
 * @throws {ServiceError}
 */
export const listPlants = async (
  readItems: ReadItems,
  context: unknown,
  limits: readonly string[],
): Promise<readonly Plant[]> => {
  const principals = principalsOf({ requestContext: { authorizer: { lambda: context } } }, Date.now());
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
