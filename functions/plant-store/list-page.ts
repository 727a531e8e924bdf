import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/order.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import { FirstPlants, type ListPage } from './first-plants.ts';
import { maxPlantsIn } from './plant-size.ts';
import { maxReadsInFlight, type PlantQuery, type PlantStore } from './plant-store.ts';

/** Which plants a list page has. */
export interface ListQuery extends Pick<PlantQuery, 'after' | 'upTo'> {
  /** Of two copies of a plant, the response has that of the first principal. */
  readonly principals: readonly Principal[];
  /** At most this many plants of all principals; undefined: all. */
  readonly limit?: number | undefined;
  /** The maximum size of the response. */
  readonly maxBytes: number;
}

/** The plants certainly take more than `maxBytes` in the response. */
export class ListTooLarge extends Error {
  override readonly name = 'ListTooLarge';
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
  damaged: number;
}

/**
 * Reads the plants of all principals, each plant once, by name in UTF-8 byte order.
 * Damaged items are skipped and counted in one log line.
 * @throws {StoreUnavailable}
 * @throws {ListTooLarge} as soon as the plants read so far exceed `maxBytes`, although smaller copies or
 * earlier plants may be unread
 */
export const readListPage = async (
  { store, log }: { readonly store: PlantStore; readonly log: Log<OperationLogEntry> },
  { principals, limit: requestedLimit = Infinity, after, upTo, maxBytes }: ListQuery,
  signal: AbortSignal,
): Promise<ListPage> => {
  // A limit above about 370,000, more plants than a response of 6 MB can hold, is treated as no limit.
  const limit = Math.min(requestedLimit, maxPlantsIn(maxBytes) + 1);
  if (limit === 0) return { plants: [] };
  const firstPlants = new FirstPlants(limit, maxBytes);
  let damagedItems = 0;
  // When one read fails, the others are aborted, so that no read outlives the request.
  const stop = new AbortController();
  const reading = AbortSignal.any([signal, stop.signal]);

  /** Reads a principal once, from where its last read ended. */
  const readOnce = async (progress: Progress): Promise<void> => {
    const { principal, rank, position } = progress;
    const query = {
      principal,
      after: position,
      upTo: firstPlants.bound ?? upTo,
      // Includes the damaged items so far, so that many in a row take few reads.
      limit: progress.wanted + progress.damaged,
    };
    const { plants, damaged, next } = await store.read(query, reading);
    damagedItems += damaged;
    firstPlants.add(plants, rank);
    if (firstPlants.isTooLarge) throw new ListTooLarge();
    progress.wanted -= plants.length;
    progress.damaged += damaged;
    progress.position = next;
  };

  /** Whether a principal may have more plants to list: `limit` + 1 plants show that more follow. */
  const mayHaveMore = ({ position, wanted }: Progress): boolean =>
    position !== undefined &&
    wanted > 0 &&
    (firstPlants.bound === undefined || compareUtf8(position, firstPlants.bound) < 0);

  const readRest = async (progress: Progress): Promise<void> => {
    while (mayHaveMore(progress)) await readOnce(progress);
  };

  // Principals with more plants are read on one after the other, because groups may share a long list, and
  // side by side all its copies would be read before it is too large. A failure also ends the waiting reads.
  let queue = Promise.resolve();
  // Shared by the workers: each worker takes the next principal when it has read one.
  const unread = principals.entries();
  const work = async (): Promise<void> => {
    for (const [rank, principal] of unread) {
      const progress = { principal, rank, position: after, wanted: limit + 1, damaged: 0 };
      await readOnce(progress);
      // A second read is needed only after 1 MB or behind damaged items.
      if (!mayHaveMore(progress)) continue;
      queue = queue.then(() => readRest(progress));
      await queue;
    }
  };
  try {
    await Promise.all(Array.from({ length: maxReadsInFlight }, work));
  } finally {
    stop.abort();
    if (damagedItems > 0) log.error({ event: 'damaged-items', count: damagedItems });
  }
  return firstPlants.page();
};
