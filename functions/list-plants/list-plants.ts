import type { Principal } from './principals.ts';
import { catalogue, ServiceError } from './errors.ts';
import type { Log } from './log.ts';
import { mergePlants } from './merge-plants.ts';
import type { Plant, SortKey, StoredPlant } from '../../table/sort-key.ts';
import type { PlantStore } from './plant-store.ts';

export interface Dependencies {
  readonly store: PlantStore;
  readonly log: Log;
}

/** What to list, and for whom. */
export interface ListQuery {
  readonly principals: readonly Principal[];
  /** At most this many plants; undefined: all. */
  readonly limit?: number | undefined;
  /** List only what comes after this place in the order. */
  readonly after?: SortKey | undefined;
  /** Stop reading once the plants' JSON text is sure to pass this many bytes. */
  readonly maxBytes: number;
}

/** A part of the list. */
export interface Page {
  readonly plants: readonly Plant[];
  /** The place to go on from; undefined: nothing follows, or no limit was given. */
  readonly next?: SortKey | undefined;
}

/**
 * Lists the plants of all principals by name in UTF-8 byte order, a plant reached twice once.
 * Damaged items are left out, counted in one log line.
 * @throws {ServiceError} 1003 when the list passes `maxBytes`; 2001 when the store does not answer
 */
export const listPlants = async (
  { store, log }: Dependencies,
  { principals, limit, after, maxBytes }: ListQuery,
  signal: AbortSignal,
): Promise<Page> => {
  if (limit === 0) return { plants: [] };
  // One more than the page shows whether another page follows.
  const wanted = limit === undefined ? undefined : limit + 1;
  // Ends the reads still under way when one of them fails, so that none outlives the request.
  const stop = new AbortController();
  const plants: Plant[] = [];
  let last: SortKey | undefined;
  let bytes = 0;
  let damaged = 0;
  try {
    const chunks = mergePlants(store, { principals, after, wanted }, AbortSignal.any([signal, stop.signal]));
    for await (const chunk of chunks) {
      damaged += chunk.damaged;
      for (const stored of chunk.plants) {
        if (plants.length === limit) return { plants, next: last };
        bytes += leastJsonBytes(stored);
        if (bytes > maxBytes) throw new ServiceError(catalogue.resultTooLarge);
        plants.push(stored.plant);
        last = stored.sortKey;
      }
    }
    return { plants };
  } finally {
    stop.abort();
    if (damaged > 0) log.error({ event: 'damaged-items', count: damaged });
  }
};

/** Escapes make it longer, never shorter. */
const leastJsonBytes = ({ plant: { name, tag } }: StoredPlant): number =>
  '{"name":""},'.length +
  Buffer.byteLength(name) +
  (tag === undefined ? 0 : ',"tag":""'.length + Buffer.byteLength(tag));
