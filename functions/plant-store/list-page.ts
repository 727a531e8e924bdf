import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/order.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import { FirstPlants, type ListPage } from './first-plants.ts';
import { maxPlantsIn } from './plant-size.ts';
import { maxReadsInFlight, type PlantQuery, type PlantStore } from './plant-store.ts';

/** Which plants a list page has. */
export interface ListQuery extends Pick<PlantQuery, 'after' | 'upTo'> {
  /** If several principals have a copy of a plant, the response has the copy of the first of them. */
  readonly principals: readonly Principal[];
  /** The most plants of the list page; default: all. */
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
  /**
   * The key after which to continue. Before the first read, undefined means the start of the partition; after
   * it, undefined means that nothing follows.
   */
  position: string | undefined;
  /** How many more plants to read at most. */
  wanted: number;
  /** The number of damaged items. */
  damaged: number;
}

/**
 * Reads the plants of all principals, each plant once, by name in UTF-8 byte order. Damaged items are skipped
 * and counted in one log line.
 * @throws {StoreUnavailable}
 * @throws {ListTooLarge} as soon as the plants read so far exceed `maxBytes`, even if unread plants could
 * still replace some of them by smaller ones
 */
export const readListPage = async (
  { store, log }: { readonly store: PlantStore; readonly log: Log<OperationLogEntry> },
  { principals, limit: requestedLimit = Infinity, after, upTo, maxBytes }: ListQuery,
  signal: AbortSignal,
): Promise<ListPage> => {
  // A response holds at most about 370,000 plants (6 MB / 17 bytes), so a larger limit, or none, is cut to
  // one plant more.
  const limit = Math.min(requestedLimit, maxPlantsIn(maxBytes) + 1);
  if (limit === 0) return { plants: [] };
  const firstPlants = new FirstPlants(limit, maxBytes);
  let damagedItems = 0;
  // When a read fails, all other reads are aborted, so that no read outlives the request.
  const stopReads = new AbortController();
  const readSignal = AbortSignal.any([signal, stopReads.signal]);

  /** Reads a principal once, from where its last read ended. */
  const readOnce = async (progress: Progress): Promise<void> => {
    const { principal, rank, position } = progress;
    const query = {
      principal,
      after: position,
      upTo: firstPlants.bound ?? upTo,
      // Includes the damaged items so far, so that many damaged items in a row take few reads.
      limit: progress.wanted + progress.damaged,
    };
    const { plants, damaged, next } = await store.read(query, readSignal);
    damagedItems += damaged;
    firstPlants.add(plants, rank);
    if (firstPlants.isTooLarge) throw new ListTooLarge();
    progress.wanted -= plants.length;
    progress.damaged += damaged;
    progress.position = next;
  };

  /** Whether a principal that was read may have more plants to list. */
  const mayHaveMore = ({ position, wanted }: Progress): boolean =>
    position !== undefined &&
    wanted > 0 &&
    (firstPlants.bound === undefined || compareUtf8(position, firstPlants.bound) < 0);

  // Resolves when all turns so far have ended. When a read fails, it rejects, so no later turn starts.
  let turns = Promise.resolve();
  /**
   * Reads the rest of a principal in its turn: one principal at a time. If 100 groups shared a long list,
   * parallel reads would fetch 100 copies of it before the list is found too large.
   */
  const readRestInTurn = (progress: Progress): Promise<void> => {
    turns = turns.then(async () => {
      while (mayHaveMore(progress)) await readOnce(progress);
    });
    return turns;
  };

  // Shared by the workers, each of which takes the next principal when it has read one.
  const unread = principals.entries();
  const readPrincipals = async (): Promise<void> => {
    for (const [rank, principal] of unread) {
      // One plant more than `limit`, which shows whether more plants follow.
      const progress = { principal, rank, position: after, wanted: limit + 1, damaged: 0 };
      await readOnce(progress);
      // Few principals have more than 1 MB or damaged items, so few need a turn.
      if (mayHaveMore(progress)) await readRestInTurn(progress);
    }
  };
  try {
    await Promise.all(Array.from({ length: maxReadsInFlight }, readPrincipals));
  } finally {
    stopReads.abort();
    if (damagedItems > 0) log.error({ event: 'damaged-items', count: damagedItems });
  }
  return firstPlants.page();
};
