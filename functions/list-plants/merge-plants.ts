import type { StoredPlant } from '../../table/item.ts';
import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8-order.ts';
import type { PlantPage, PlantStore } from './plant-store.ts';
import { leastJsonBytes } from './plants-json.ts';
import { grantReads, maxPageBytes, type Reader } from './read-budget.ts';

/** Which plants to merge. */
export interface MergeQuery {
  readonly principals: readonly Principal[];
  /** Start after this key. */
  readonly after?: string | undefined;
  /** The most plants needed; undefined: all. */
  readonly wanted?: number | undefined;
}

/** The next part of the merged list. */
export interface Chunk {
  /** In byte order, after those of earlier chunks. A plant that two principals have occurs once. */
  readonly plants: readonly StoredPlant[];
  /** How many damaged items were left out while reading. */
  readonly damaged: number;
  /** The least JSON bytes of what was read since the last chunk, copies of one plant included. */
  readonly readBytes: number;
  /** Counts the least JSON bytes of the plants that follow and were read already, each once. */
  readonly waitingBytes: () => number;
}

interface Source extends Reader {
  readonly principal: Principal;
  /** How many damaged items were read so far. */
  damaged: number;
  /** Read but not merged yet. */
  waiting: readonly StoredPlant[];
  /** The key up to which the principal's plants were read. */
  readTo: string | undefined;
  finished: boolean;
  held: number;
  requested: number;
}

/** Around the values of an item in the store's response: names, quotes and braces. */
const itemOverhead = 40;
/** With no more in progress, others start. Not after each response, because choosing them looks at all principals. */
const fewReads = 8;
/** Before an item was read: larger than most. */
const firstItemBytes = 1024;

/**
 * Merges the plants of several principals, read in parallel, into one list.
 * A plant is yielded once every principal was read up to its key. `read-budget.ts` bounds what is held until then.
 * @throws {ServiceError} what the store throws
 */
export async function* mergePlants(
  store: PlantStore,
  { principals, after, wanted = Infinity }: MergeQuery,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, void> {
  const sources = principals.map((principal): Source => ({
    principal,
    damaged: 0,
    waiting: [],
    readTo: after,
    finished: false,
    held: 0,
    requested: 0,
  }));
  const reads = new Map<Source, Promise<Source>>();
  let [slowest] = sources;
  let missing = wanted;
  let itemBytes: number | undefined;
  let damaged = 0;
  let readBytes = 0;

  const read = async (source: Source, limit: number | undefined): Promise<Source> => {
    const { principal, readTo } = source;
    receive(source, await store.readPlants({ principal, after: readTo, limit }, signal));
    return source;
  };

  const startReads = (): void => {
    // A limit grows with the damaged items read so far, so that many damaged items in a row need few reads.
    const needed = (source: Source): number => missing + source.damaged - source.waiting.length;
    const perItem = itemBytes ?? firstItemBytes;
    for (const { reader: source, bytes } of grantReads(sources, (each) => needed(each) > 0)) {
      const affordable = bytes === undefined ? Infinity : Math.max(1, Math.floor(bytes / perItem));
      const limit = Math.min(affordable, needed(source));
      source.requested = Math.min(bytes ?? maxPageBytes, limit * perItem);
      reads.set(source, read(source, limit === Infinity ? undefined : limit));
    }
  };

  const receive = (source: Source, { plants, ...page }: PlantPage): void => {
    const jsonBytes = plants.reduce((sum, { plant }) => sum + leastJsonBytes(plant), 0);
    const bytes = plants.reduce(
      (sum, { sortKey }) => sum + Buffer.byteLength(sortKey) + itemOverhead,
      jsonBytes,
    );
    if (plants.length > 0) {
      const average = bytes / plants.length;
      // The estimate rises at once, and falls slowly.
      itemBytes = Math.max(average, ((itemBytes ?? average) + average) / 2);
    }
    source.requested = 0;
    source.held += bytes;
    source.waiting = source.waiting.length === 0 ? plants : [...source.waiting, ...plants];
    source.damaged += page.damaged;
    source.readTo = page.next;
    source.finished = page.next === undefined;
    damaged += page.damaged;
    readBytes += jsonBytes;
  };

  const merge = (): readonly StoredPlant[] => {
    slowest = slowestOf(sources);
    // Nothing of it was read, so nothing can be merged: of many principals, most are still unread.
    if (slowest !== undefined && slowest.readTo === after) return [];
    const horizon = slowest === undefined ? undefined : (slowest.readTo ?? '');
    const [first = [], ...others] = sources.flatMap((source) => {
      const part = takeUpTo(horizon, source);
      return part.length === 0 ? [] : [part];
    });
    const plants = others.length === 0 ? first : inOrder([first, ...others].flat());
    missing -= plants.length;
    return plants;
  };

  const waitingBytes = (): number => {
    const least = new Map<SortKey, number>();
    for (const { sortKey, plant } of sources.flatMap(({ waiting }) => waiting)) {
      // The copies of one plant may have different tags.
      least.set(sortKey, Math.min(least.get(sortKey) ?? Infinity, leastJsonBytes(plant)));
    }
    return least.values().reduce((sum, bytes) => sum + bytes, 0);
  };

  while (missing > 0) {
    if (reads.size <= fewReads) startReads();
    if (reads.size === 0) return;
    const source = await Promise.race(reads.values());
    reads.delete(source);
    // Other principals' plants can be merged only when more of the slowest was read.
    const chunk = { plants: source === slowest ? merge() : [], damaged, readBytes, waitingBytes };
    damaged = 0;
    readBytes = 0;
    yield chunk;
  }
}

/** Sorts plants, of which each principal's are in order, and drops copies. */
const inOrder = (plants: readonly StoredPlant[]): readonly StoredPlant[] => {
  const known = new Set<SortKey>();
  return plants
    .filter(({ sortKey }) => known.size < known.add(sortKey).size)
    .sort((a, b) => compareUtf8(a.sortKey, b.sortKey));
};

/** The principal whose reading is furthest behind; undefined: all are finished. */
const slowestOf = (sources: readonly Source[]): Source | undefined =>
  sources
    .filter(({ finished }) => !finished)
    .reduce<Source | undefined>(
      (least, source) =>
        least === undefined || compareUtf8(source.readTo ?? '', least.readTo ?? '') < 0 ? source : least,
      undefined,
    );

const takeUpTo = (horizon: string | undefined, source: Source): readonly StoredPlant[] => {
  const { waiting, held } = source;
  const [first] = waiting;
  if (first === undefined || (horizon !== undefined && compareUtf8(first.sortKey, horizon) > 0)) return [];
  const end = horizon === undefined ? waiting.length : countUpTo(horizon, waiting);
  source.waiting = waiting.slice(end);
  source.held = (held * source.waiting.length) / waiting.length;
  return end === waiting.length ? waiting : waiting.slice(0, end);
};

/** How many of the plants, which are in order, are not after the key. */
const countUpTo = (key: string, plants: readonly StoredPlant[]): number => {
  let low = 0;
  let high = plants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareUtf8(plants[middle]?.sortKey ?? '', key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
};
