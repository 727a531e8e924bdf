import type { StoredPlant } from '../../table/item.ts';
import type { Plant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8.ts';
import { type CatalogueEntry, ServiceError } from '../shared/errors.ts';
import type { Log, OperationLogEntry } from '../shared/log-events.ts';
import { FirstPlants, minPlantBytes } from './first-plants.ts';
import { maxReadsInFlight, type PlantQuery, type PlantStore } from './plant-store.ts';

/** Which plants to list: those of the principals, at most `limit` in all. */
export interface ListQuery extends Omit<PlantQuery, 'principal'> {
  /** By rank: of two copies of a plant, the response has that of the first principal. */
  readonly principals: readonly Principal[];
  /** Fail with `tooLarge` beyond this many bytes of JSON. */
  readonly maxBytes: number;
  readonly tooLarge: CatalogueEntry;
}

/** A list page: the first `limit` plants, or all. */
export interface ListPage {
  readonly plants: readonly Plant[];
  /** The position of the last plant; undefined: nothing follows. */
  readonly next?: SortKey | undefined;
}

/** The state of reading one principal. */
interface Source {
  readonly principal: Principal;
  readonly rank: number;
  /** The last key that was read. */
  position: string | undefined;
  finished: boolean;
  found: number;
  damaged: number;
  /** The next read's limit once `FirstPlants.last` is set: 1/8 of the query's, at least 100; then doubled. */
  share: number;
}

/** Refill at this number rather than after each response: choosing the next reads is O(principals). */
const fewReadsInFlight = maxReadsInFlight / 2;
/** A smaller read would save less than its request costs. */
const minPlantsPerRead = 100;

/**
 * Lists the plants of all principals, each plant once, by name in UTF-8 byte order.
 * Damaged items are skipped and counted in one log line.
 * @throws {ServiceError} `tooLarge` when the list exceeds `maxBytes`; 2001 when the store does not respond
 */
export const listPlants = async (
  { store, log }: { readonly store: PlantStore; readonly log: Log<OperationLogEntry> },
  { principals, ...query }: ListQuery,
  signal: AbortSignal,
): Promise<ListPage> => {
  if (query.limit === 0) return { plants: [] };
  // When one read fails, the others are aborted, so that none outlives the request.
  const stop = new AbortController();
  const sources = principals.map((principal, rank): Source => ({
    principal,
    rank,
    position: query.after,
    finished: false,
    found: 0,
    damaged: 0,
    share: Math.max(Math.ceil((query.limit + 1) / 8), minPlantsPerRead),
  }));
  try {
    const stored = await readPlants(store, query, sources, AbortSignal.any([signal, stop.signal]));
    const listed = stored.slice(0, query.limit);
    return {
      plants: listed.map(({ plant }) => plant),
      next: stored.length > listed.length ? listed.at(-1)?.sortKey : undefined,
    };
  } finally {
    stop.abort();
    const damaged = sources.reduce((sum, source) => sum + source.damaged, 0);
    if (damaged > 0) log.error({ event: 'damaged-items', count: damaged });
  }
};

/**
 * Reads the first plants of all principals, several principals at a time, each up to the last plant to list.
 * A principal takes at most four reads (1/8, 2/8, 4/8, then the rest), more only after 1 MB or damaged items.
 * @returns the plants in order: one more than the limit when others follow
 * @throws {ServiceError} 2001; `tooLarge`, before the last read only if no response can hold `limit` plants
 */
const readPlants = async (
  store: PlantStore,
  { limit, maxBytes, tooLarge, ...range }: Omit<ListQuery, 'principals'>,
  sources: readonly Source[],
  signal: AbortSignal,
): Promise<readonly StoredPlant[]> => {
  const wanted = limit + 1;
  // With a limit this high, the page has every plant or is too large: further reads cannot make it fit.
  const isAllOrTooLarge = limit * minPlantBytes > maxBytes;
  const plants = new FirstPlants(limit, maxBytes);
  const reads = new Map<Source, Promise<Source>>();

  const needsReading = ({ finished, position = '' }: Source): boolean =>
    !finished && (plants.last === undefined || compareUtf8(position, plants.last) < 0);

  /** The next read's limit: includes the damaged items so far, so that many in a row take few reads. */
  const nextLimit = (source: Source): number => {
    const share = plants.last === undefined ? wanted : source.share;
    if (share < wanted) source.share *= 2;
    return Math.min(share, wanted - source.found) + source.damaged;
  };

  const read = async (source: Source): Promise<Source> => {
    const { principal, rank, position } = source;
    const query = { ...range, principal, after: position, limit: nextLimit(source) };
    const result = await store.read(query, signal);
    plants.add(result.plants, rank);
    source.found += result.plants.length;
    source.damaged += result.damaged;
    source.position = result.next;
    source.finished = result.next === undefined;
    return source;
  };

  for (;;) {
    const settledRank = sources.find(needsReading)?.rank ?? Infinity;
    plants.cut(settledRank);
    const toRead = sources.filter(needsReading);
    // Everything needed is read, so every copy is final: check the size again.
    if (toRead.length === 0 && settledRank < Infinity) plants.cut(Infinity);
    if (plants.isTooLarge && (toRead.length === 0 || isAllOrTooLarge)) throw new ServiceError(tooLarge);
    if (toRead.length === 0) return plants.inOrder();
    // Over budget: read the highest-priority principal first, whose copies may be shorter.
    const next = plants.bytes > maxBytes ? toRead.slice(0, 1) : toRead;
    for (const source of next) {
      if (reads.size === maxReadsInFlight) break;
      if (!reads.has(source)) reads.set(source, read(source));
    }
    do reads.delete(await Promise.race(reads.values()));
    while (reads.size > fewReadsInFlight && plants.bytes <= maxBytes);
  }
};
