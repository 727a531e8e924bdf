import type { Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import type { Dependencies } from '../http/operation.ts';
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
 * @throws {ServiceError} 1003 when the list exceeds `maxBytes`; 2001 when the store does not respond
 */
export const listPlants = async (
  { store, log }: Omit<Dependencies, 'now'>,
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
