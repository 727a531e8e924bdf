import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { tooLarge } from './errors.ts';
import type { Log } from './log.ts';
import { mergePlants } from './merge-plants.ts';
import type { PlantStore } from './plant-store.ts';
import { leastPlantBytes, plantsJson } from './plants-json.ts';

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
  /** A JSON array in UTF-8, in pieces. */
  readonly plants: readonly Buffer[];
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
  const json = plantsJson();
  if (limit === 0) return { plants: json.end() };
  // One more plant than the page holds shows whether another page follows.
  const wanted = limit === undefined ? undefined : limit + 1;
  // Plants that are still unread can take the place of those that were read, unless the page holds whatever fits.
  const holdsAll = limit === undefined || limit * leastPlantBytes > maxBytes;
  // When one read fails, the others are aborted, so that none outlives the request.
  const stop = new AbortController();
  let missing = limit ?? Infinity;
  /** How many more bytes can be read before the list may be too large. Copies are counted here, because removing them takes time. */
  let room = holdsAll ? maxBytes : Infinity;
  let last: SortKey | undefined;
  let damaged = 0;
  try {
    const chunks = mergePlants(store, { principals, after, wanted }, AbortSignal.any([signal, stop.signal]));
    for await (const chunk of chunks) {
      damaged += chunk.damaged;
      const plants = chunk.plants.slice(0, missing);
      json.add(plants.map(({ plant }) => plant));
      room -= chunk.readBytes;
      if (room < 0) room = maxBytes - json.bytes() - chunk.waitingBytes();
      if (room < 0 || json.bytes() > maxBytes) throw tooLarge(limit);
      missing -= plants.length;
      last = plants.at(-1)?.sortKey ?? last;
      if (plants.length < chunk.plants.length) return { plants: json.end(), next: last };
    }
    return { plants: json.end() };
  } finally {
    stop.abort();
    if (damaged > 0) log.error({ event: 'damaged-items', count: damaged });
  }
};
