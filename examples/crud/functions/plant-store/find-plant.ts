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
 * Finds the plant with an id: of several principals that have it, the list shows the plant of the first one,
 * and so does this. It takes one consistent read for each principal, half a read unit more than an eventually
 * consistent one, so that a caller sees the plant that they have just added or changed.
 * A damaged item is no plant, as in the list, and is logged.
 * @returns undefined if no principal has it
 * @throws {StoreUnavailable}
 */
export const findPlant = async (
  { items, log }: { readonly items: PlantItems; readonly log: Log<OperationLogEntry> },
  { principals, id }: { readonly principals: readonly Principal[]; readonly id: string },
  signal: AbortSignal,
): Promise<FoundPlant | undefined> => {
  // DynamoDB rejects a key that is too long.
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
