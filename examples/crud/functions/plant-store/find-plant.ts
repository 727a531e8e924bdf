import type { VersionedPlant } from '../../table/item.ts';
import type { Principal } from '../../table/principal.ts';
import { isSortKey } from '../../table/sort-key.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import type { PlantItems } from './plant-items.ts';
import { maxReadsInFlight } from './plant-store.ts';

/** A plant with its principal. */
export interface FoundPlant extends VersionedPlant {
  readonly principal: Principal;
}

/**
 * Finds the plant with an id. If several principals have a plant with the id, it is that of the first one, as
 * in the list. Each principal takes a read. Reads are consistent, so that a caller sees the plant that they
 * have just added or changed, and cost 1 read unit instead of 0.5. A damaged item is logged, and is not a
 * plant, as in the list.
 * @returns undefined if no principal has a plant with the id
 * @throws {StoreUnavailable}
 */
export const findPlant = async (
  { items, log }: { readonly items: PlantItems; readonly log: Log<OperationLogEntry> },
  { principals, id }: { readonly principals: readonly Principal[]; readonly id: string },
  signal: AbortSignal,
): Promise<FoundPlant | undefined> => {
  // DynamoDB would reject a key that is empty or too long.
  if (!isSortKey(id)) return undefined;
  for (let start = 0; start < principals.length; start += maxReadsInFlight) {
    const next = principals.slice(start, start + maxReadsInFlight);
    const found = await Promise.all(
      next.map(async (principal) => ({ principal, item: await items.find({ principal, id }, signal) })),
    );
    const damaged = found.filter(({ item }) => item === 'damaged').length;
    if (damaged > 0) log.error({ event: 'damaged-items', count: damaged });
    for (const { principal, item } of found)
      if (item !== undefined && item !== 'damaged') return { ...item, principal };
  }
  return undefined;
};
