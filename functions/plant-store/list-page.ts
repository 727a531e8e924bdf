import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/order.ts';
import { type CatalogueEntry, ServiceError } from '../http/errors.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import { FirstPlants, type ListPage } from './first-plants.ts';
import { maxReadsInFlight, type PlantQuery, type PlantStore } from './plant-store.ts';

/** Which plants to list: those of the principals, at most `limit` in all. */
export interface ListQuery extends Omit<PlantQuery, 'principal'> {
  /** Of two copies of a plant, the response has that of the first principal. */
  readonly principals: readonly Principal[];
  /** Fail with `tooLarge` when the plants certainly take more bytes of JSON. */
  readonly maxBytes: number;
  readonly tooLarge: CatalogueEntry;
}

/** How far a principal was read. */
interface Progress {
  readonly principal: Principal;
  readonly rank: number;
  /** The last key read; undefined: nothing follows. */
  position: string | undefined;
  /** How many more plants to read. */
  wanted: number;
  /** The number of damaged items. */
  skipped: number;
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

  /** Reads a principal once, from where its last read ended. */
  const readOnce = async (progress: Progress): Promise<void> => {
    const { principal, rank, position, wanted, skipped } = progress;
    // Includes the damaged items so far, so that many in a row take few reads.
    const query = { principal, after: position, upTo: first.bound ?? upTo, limit: wanted + skipped };
    const { plants, damaged, next } = await store.read(query, reading);
    damagedItems += damaged;
    first.add(plants, rank);
    if (first.isTooLarge) throw new ServiceError(tooLarge);
    progress.wanted -= plants.length;
    progress.skipped += damaged;
    progress.position = next;
  };

  /** Whether a principal may have more plants to list: `limit` + 1 plants show that more follow. */
  const mayHaveMore = ({ position, wanted }: Progress): boolean =>
    position !== undefined &&
    wanted > 0 &&
    (first.bound === undefined || compareUtf8(position, first.bound) < 0);

  const readOn = async (progress: Progress): Promise<void> => {
    while (mayHaveMore(progress)) await readOnce(progress);
  };

  // Principals with more plants are read on one after the other, because groups may share a long list, and
  // side by side all its copies would be read before it is too large. A failure also ends the waiting reads.
  let lastReadOn = Promise.resolve();
  // Shared by the workers: each takes the next principal when it has read one.
  const unread = principals.entries();
  const work = async (): Promise<void> => {
    for (const [rank, principal] of unread) {
      const progress = { principal, rank, position: after, wanted: limit + 1, skipped: 0 };
      await readOnce(progress);
      // A second read is needed only after 1 MB or behind damaged items.
      if (!mayHaveMore(progress)) continue;
      lastReadOn = lastReadOn.then(() => readOn(progress));
      await lastReadOn;
    }
  };
  try {
    await Promise.all(Array.from({ length: maxReadsInFlight }, work));
  } finally {
    stop.abort();
    if (damagedItems > 0) log.error({ event: 'damaged-items', count: damagedItems });
  }
  return first.page();
};
