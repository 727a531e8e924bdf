import type { StoredPlant } from '../../table/item.ts';
import type { Plant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { catalogue, ServiceError } from './errors.ts';
import type { Log } from './log.ts';
import { mergePlants } from './merge-plants.ts';
import type { PlantStore } from './plant-store.ts';

export interface Dependencies {
  readonly store: PlantStore;
  readonly log: Log;
}

/** Which plants to list. */
export interface ListQuery {
  readonly principals: readonly Principal[];
  /** At most this many plants; undefined: all. */
  readonly limit?: number | undefined;
  /** List only plants after this position in the order. */
  readonly after?: SortKey | undefined;
  /** Stop reading as soon as the plants' JSON text is certain to exceed this many bytes. */
  readonly maxBytes: number;
}

/** A part of the list. */
export interface Page {
  readonly plants: readonly Plant[];
  /** The position of the last plant; undefined: nothing follows, or the query has no limit. */
  readonly next?: SortKey | undefined;
}

/**
 * Lists the plants of all principals by name in UTF-8 byte order. A plant that two principals have is listed once.
 * Damaged items are left out and counted in one log line.
 * @throws {ServiceError} 1003 when the list exceeds `maxBytes`; 2001 when the store does not respond
 */
export const listPlants = async (
  { store, log }: Dependencies,
  { principals, limit, after, maxBytes }: ListQuery,
  signal: AbortSignal,
): Promise<Page> => {
  if (limit === 0) return { plants: [] };
  // One more plant than the page holds shows whether another page follows.
  const wanted = limit === undefined ? undefined : limit + 1;
  // When one read fails, the others are aborted, so that none outlives the request.
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

/** A lower bound: escapes only make the JSON longer. */
const leastJsonBytes = ({ plant: { name, tag } }: StoredPlant): number =>
  '{"name":""},'.length +
  Buffer.byteLength(name) +
  (tag === undefined ? 0 : ',"tag":""'.length + Buffer.byteLength(tag));
