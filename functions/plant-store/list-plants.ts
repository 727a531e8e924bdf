import type { Plant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8.ts';
import { type CatalogueEntry, ServiceError } from '../shared/errors.ts';
import type { Log, OperationLogEntry } from '../shared/log-events.ts';
import { FirstPlants } from './first-plants.ts';
import { maxReadsInFlight, type PlantQuery, type PlantStore } from './plant-store.ts';

/** Which plants to list: those of the principals, at most `limit` in all. */
export interface ListQuery extends Omit<PlantQuery, 'principal'> {
  /** Of two copies of a plant, the response has that of the first principal. */
  readonly principals: readonly Principal[];
  /** Fail with `tooLarge` when the plants certainly take more bytes of JSON. */
  readonly maxBytes: number;
  readonly tooLarge: CatalogueEntry;
}

/** A list page: the first `limit` plants, or all. */
export interface ListPage {
  readonly plants: readonly Plant[];
  /** The position of the last plant; undefined: nothing follows. */
  readonly next?: SortKey;
}

/**
 * Lists the plants of all principals, each plant once, by name in UTF-8 byte order.
 * Damaged items are skipped and counted in one log line.
 * @throws {ServiceError} 2001 when the store does not respond; `tooLarge` as soon as the plants read so far
 * exceed `maxBytes`, although smaller copies or earlier plants may be unread
 */
export const listPlants = async (
  { store, log }: { readonly store: PlantStore; readonly log: Log<OperationLogEntry> },
  { principals, limit, after, upTo, maxBytes, tooLarge }: ListQuery,
  signal: AbortSignal,
): Promise<ListPage> => {
  if (limit === 0) return { plants: [] };
  const first = new FirstPlants(limit, maxBytes);
  let damagedItems = 0;
  // When one read fails, the others are aborted, so that none outlives the request.
  const stop = new AbortController();
  const reading = AbortSignal.any([signal, stop.signal]);

  /**
   * Reads a principal up to the last plant to list, or `limit` + 1 plants, which shows that more follow.
   * Takes one read, unless that ends at 1 MB or has damaged items.
   */
  const readPrincipal = async (principal: Principal, rank: number): Promise<void> => {
    let position: string | undefined = after;
    let wanted = limit + 1;
    let skipped = 0;
    do {
      // Includes the damaged items so far, so that many in a row take few reads.
      const query = { principal, after: position, upTo: first.last ?? upTo, limit: wanted + skipped };
      const { plants, damaged, next } = await store.read(query, reading);
      damagedItems += damaged;
      first.add(plants, rank);
      if (first.isTooLarge) throw new ServiceError(tooLarge);
      wanted -= plants.length;
      skipped += damaged;
      position = next;
    } while (position !== undefined && wanted > 0 && !isAtOrAfter(position, first.last));
  };

  // Shared by the workers: each takes the next principal when it has read one.
  const unread = principals.entries();
  const work = async (): Promise<void> => {
    for (const [rank, principal] of unread) await readPrincipal(principal, rank);
  };
  try {
    await Promise.all(Array.from({ length: maxReadsInFlight }, work));
  } finally {
    stop.abort();
    if (damagedItems > 0) log.error({ event: 'damaged-items', count: damagedItems });
  }
  const listed = first.inOrder();
  // The last plant can precede `first.last`, which is the last one of an earlier cut.
  const next = first.last === undefined ? undefined : listed.at(-1)?.sortKey;
  return { plants: listed.map(({ plant }) => plant), next };
};

const isAtOrAfter = (position: string, last: SortKey | undefined): boolean =>
  last !== undefined && compareUtf8(position, last) >= 0;
