import type { StoredPlant } from '../../table/item.ts';
import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8-order.ts';
import type { PlantStore } from './plant-store.ts';
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
  /** The least bytes of JSON of the plants that follow and were read already. */
  readonly waitingBytes: number;
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
  granted: number | undefined;
  lastPage: number;
}

/** Around the values of an item in the store's answer: names, quotes and braces. */
const itemOverhead = 40;
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
    granted: undefined,
    lastPage: 0,
  }));
  const reads = new Map<Source, Promise<Source>>();
  /** The plants that were read and not merged yet, each once, with the least bytes of their JSON. */
  const waiting = new Map<SortKey, number>();
  let waitingBytes = 0;
  let missing = wanted;
  let damaged = 0;
  let itemBytes: number | undefined;

  const read = async (source: Source, limit: number | undefined): Promise<Source> => {
    const { principal, readTo } = source;
    const page = await store.readPlants({ principal, after: readTo, limit }, signal);
    let bytes = 0;
    for (const { sortKey, plant } of page.plants) {
      const jsonBytes = leastJsonBytes(plant);
      bytes += itemOverhead + Buffer.byteLength(sortKey) + jsonBytes;
      // Two copies of one plant may have different tags.
      const known = waiting.get(sortKey) ?? Infinity;
      if (jsonBytes >= known) continue;
      waiting.set(sortKey, jsonBytes);
      waitingBytes += jsonBytes - (known === Infinity ? 0 : known);
    }
    if (page.plants.length > 0) {
      const average = bytes / page.plants.length;
      itemBytes = Math.max(average, ((itemBytes ?? average) + average) / 2);
    }
    source.requested = 0;
    source.held += bytes;
    source.lastPage = bytes;
    source.waiting = source.waiting.length === 0 ? page.plants : [...source.waiting, ...page.plants];
    source.damaged += page.damaged;
    damaged += page.damaged;
    source.readTo = page.next;
    source.finished = page.next === undefined;
    return source;
  };

  const startReads = (): void => {
    // A limit grows with the damaged items read so far, so that many damaged items in a row need few reads.
    const needed = (source: Source): number => missing + source.damaged - source.waiting.length;
    for (const { reader: source, bytes } of grantReads(sources, (each) => needed(each) > 0)) {
      const affordable =
        bytes < maxPageBytes ? Math.max(1, Math.floor(bytes / (itemBytes ?? firstItemBytes))) : Infinity;
      const limit = Math.min(affordable, needed(source));
      source.requested = Math.min(bytes, limit * (itemBytes ?? firstItemBytes));
      source.granted = source.requested;
      reads.set(source, read(source, limit === Infinity ? undefined : limit));
    }
  };

  const merge = (): readonly StoredPlant[] => {
    const horizon = horizonOf(sources);
    const plants = sources
      .flatMap((source) => takeUpTo(horizon, source))
      .filter(({ sortKey }) => {
        waitingBytes -= waiting.get(sortKey) ?? 0;
        // False for another principal's copy.
        return waiting.delete(sortKey);
      })
      .sort((a, b) => compareUtf8(a.sortKey, b.sortKey));
    missing -= plants.length;
    return plants;
  };

  while (missing > 0) {
    startReads();
    if (reads.size === 0) return;
    reads.delete(await Promise.race(reads.values()));
    const chunk = { plants: merge(), damaged, waitingBytes };
    damaged = 0;
    yield chunk;
  }
}

/** The key up to which all principals were read; undefined: all were read to their end. */
const horizonOf = (sources: readonly Source[]): string | undefined =>
  sources
    .flatMap(({ finished, readTo = '' }) => (finished ? [] : [readTo]))
    .reduce<string | undefined>(
      (least, key) => (least === undefined || compareUtf8(key, least) < 0 ? key : least),
      undefined,
    );

const takeUpTo = (horizon: string | undefined, source: Source): readonly StoredPlant[] => {
  const { waiting, held } = source;
  const end = horizon === undefined ? waiting.length : countUpTo(horizon, waiting);
  if (end === 0) return [];
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
