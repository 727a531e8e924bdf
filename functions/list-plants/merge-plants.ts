import type { StoredPlant } from '../../table/item.ts';
import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/utf8-order.ts';
import type { PlantStore } from './plant-store.ts';

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
}

interface Source {
  readonly principal: Principal;
  /** How many damaged items were read so far. */
  damaged: number;
  /** Read but not merged yet. */
  waiting: readonly StoredPlant[];
  /** The key up to which the principal's plants were read. */
  readTo: string | undefined;
  finished: boolean;
}

/**
 * Merges the plants of several principals, read in parallel, into one list.
 * A plant is yielded once every principal was read up to its key, so at most one page of each is held.
 * @throws {ServiceError} what the store throws
 */
export async function* mergePlants(
  store: PlantStore,
  { principals, after, wanted }: MergeQuery,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, void> {
  const sources = principals.map((principal): Source => ({
    principal,
    damaged: 0,
    waiting: [],
    readTo: after,
    finished: false,
  }));
  let missing = wanted;

  const refill = async (source: Source): Promise<number> => {
    if (source.finished || source.waiting.length > 0) return 0;
    // The limit grows with the damaged items read so far, so that many damaged items in a row need few reads.
    const limit = missing === undefined ? undefined : missing + source.damaged;
    const page = await store.readPlants({ principal: source.principal, after: source.readTo, limit }, signal);
    source.damaged += page.damaged;
    source.waiting = page.plants;
    source.readTo = page.next;
    source.finished = page.next === undefined;
    return page.damaged;
  };

  for (;;) {
    const damaged = (await Promise.all(sources.map(refill))).reduce((sum, count) => sum + count, 0);
    const horizon = sources
      .flatMap(({ finished, readTo }) => (finished || readTo === undefined ? [] : [readTo]))
      .reduce<string | undefined>(
        (least, key) => (least === undefined || compareUtf8(key, least) < 0 ? key : least),
        undefined,
      );
    const plants = inOrder(sources.flatMap((source) => takeUpTo(horizon, source)));
    yield { plants, damaged };
    if (missing !== undefined) missing -= plants.length;
    if (horizon === undefined || (missing !== undefined && missing <= 0)) return;
  }
}

const takeUpTo = (horizon: string | undefined, source: Source): readonly StoredPlant[] => {
  const beyond =
    horizon === undefined ? -1 : source.waiting.findIndex(({ sortKey }) => compareUtf8(sortKey, horizon) > 0);
  if (beyond === -1) {
    const all = source.waiting;
    source.waiting = [];
    return all;
  }
  const taken = source.waiting.slice(0, beyond);
  source.waiting = source.waiting.slice(beyond);
  return taken;
};

const inOrder = (plants: StoredPlant[]): readonly StoredPlant[] =>
  plants
    .sort((a, b) => compareUtf8(a.sortKey, b.sortKey))
    .filter(({ sortKey }, index, sorted) => sortKey !== sorted[index - 1]?.sortKey);
