import type { Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import type { Log, OperationLogEntry } from '../shared/log-events.ts';
import type { PlantStore } from './plant-store.ts';
import { type ListQuery, readPlants } from './read-plants.ts';

/** One page of the list. */
export interface Page {
  readonly plants: readonly Plant[];
  /** The position of the last plant; undefined: nothing follows. */
  readonly next?: SortKey | undefined;
}

/**
 * Lists the plants of all principals by name in UTF-8 byte order, a plant that two principals have once.
 * Damaged items are skipped and counted in one log line.
 * @throws {ServiceError} `tooLarge` when the list exceeds `maxBytes`; 2001 when the store does not respond
 */
export const listPlants = async (
  { store, log }: { readonly store: PlantStore; readonly log: Log<OperationLogEntry> },
  query: ListQuery,
  signal: AbortSignal,
): Promise<Page> => {
  if (query.limit === 0) return { plants: [] };
  // When one read fails, the others are aborted, so that none outlives the request.
  const stop = new AbortController();
  let damaged = 0;
  try {
    const countDamaged = (count: number): void => void (damaged += count);
    const stored = await readPlants(store, query, countDamaged, AbortSignal.any([signal, stop.signal]));
    const listed = stored.slice(0, query.limit);
    return {
      plants: listed.map(({ plant }) => plant),
      next: stored.length > listed.length ? listed.at(-1)?.sortKey : undefined,
    };
  } finally {
    stop.abort();
    if (damaged > 0) log.error({ event: 'damaged-items', count: damaged });
  }
};
