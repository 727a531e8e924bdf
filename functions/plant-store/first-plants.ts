import type { StoredPlant } from '../../table/item.ts';
import type { Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/order.ts';
import { minPlantBytes } from './plant-size.ts';

/** A list page: the first `limit` plants, or all. */
export interface ListPage {
  readonly plants: readonly Plant[];
  /** The position of the last plant; undefined: nothing follows. */
  readonly next?: SortKey;
}

interface RankedPlant extends StoredPlant {
  /** The rank of its principal: 0 for the user, 1 and above for the groups. */
  readonly rank: number;
}

/** Merges the principals' plants, added in any order, and keeps the first `limit`, each once. */
export class FirstPlants {
  readonly #limit: number;
  readonly #maxBytes: number;
  /** The only response of the store so far, which has no copies and is in order, so it needs no merge. */
  #only: { readonly plants: readonly StoredPlant[]; readonly rank: number } | undefined;
  /** Runs of plants in order, each plant once in a run. A run is at least twice as long as the next one. */
  readonly #merged: RankedPlant[][] = [];
  /** The number of plants in all runs. */
  #count = 0;
  /** The lower bound of the size of all these plants in the response. */
  #bytes = 0;
  #bound: SortKey | undefined;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** The key of the last plant to list, once later plants were added; undefined until then. */
  get bound(): SortKey | undefined {
    return this.#bound;
  }

  /** Whether the plants exceed `maxBytes` in the response. The only response of the store, of 1 MB, fits. */
  get isTooLarge(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** Adds plants, sorted by key. Of the copies of a plant, the one with the lowest rank is kept. */
  add(plants: readonly StoredPlant[], rank: number): void {
    if (plants.length === 0) return;
    const only = this.#only;
    if (only === undefined && this.#merged.length === 0 && plants.length <= this.#limit) {
      this.#only = { plants, rank };
      return;
    }
    this.#only = undefined;
    if (only !== undefined) this.#addRun(only.plants, only.rank);
    this.#addRun(plants, rank);
  }

  /** The first plants in order. */
  page(): ListPage {
    while (this.#merged.length > 1) this.#mergeLast();
    const plants = this.#only?.plants ?? this.#merged[0] ?? [];
    return { plants: plants.map(({ plant }) => plant), next: this.#bound };
  }

  #addRun(plants: readonly StoredPlant[], rank: number): void {
    const run: RankedPlant[] = [];
    for (const { sortKey, plant } of plants) {
      if (this.#bound !== undefined && compareUtf8(sortKey, this.#bound) > 0) break;
      run.push({ sortKey, plant, rank });
      this.#bytes += minPlantBytes(plant);
    }
    this.#count += run.length;
    this.#merged.push(run);
    while (this.#mustMerge()) this.#mergeLast();
    if (this.#count > this.#limit) this.#cut();
  }

  /** Merges runs of similar length, and all runs while they exceed a limit, because they may have copies. */
  #mustMerge(): boolean {
    const [run, next] = this.#merged.slice(-2);
    if (run === undefined || next === undefined) return false;
    return run.length < 2 * next.length || this.#count > this.#limit || this.isTooLarge;
  }

  #mergeLast(): void {
    const next = this.#merged.pop() ?? [];
    const run = this.#merged.at(-1) ?? [];
    for (const { plant } of mergeInto(run, next)) {
      this.#count -= 1;
      this.#bytes -= minPlantBytes(plant);
    }
  }

  /** Drops the plants after the first `limit` of the only run. */
  #cut(): void {
    const [run = []] = this.#merged;
    for (const { plant } of run.splice(this.#limit)) this.#bytes -= minPlantBytes(plant);
    this.#count = run.length;
    this.#bound = run.at(-1)?.sortKey;
  }
}

/**
 * Merges a run into another, in place. Of two copies of a plant, the copy with the lower rank is kept.
 * @returns the dropped copies
 */
const mergeInto = (run: RankedPlant[], next: readonly RankedPlant[]): readonly RankedPlant[] => {
  const [firstOfNext] = next;
  if (firstOfNext === undefined) return [];
  const dropped: RankedPlant[] = [];
  // The plants before the first of `next` stay where they are.
  const rest = run.splice(indexOfKey(run, firstOfNext.sortKey));
  let index = 0;
  for (const plant of next) {
    let copy = rest[index];
    while (copy !== undefined && compareUtf8(copy.sortKey, plant.sortKey) < 0) {
      run.push(copy);
      index += 1;
      copy = rest[index];
    }
    if (copy?.sortKey !== plant.sortKey) {
      run.push(plant);
      continue;
    }
    index += 1;
    const isCopyKept = copy.rank < plant.rank;
    run.push(isCopyKept ? copy : plant);
    dropped.push(isCopyKept ? plant : copy);
  }
  for (const plant of rest.slice(index)) run.push(plant);
  return dropped;
};

/** The index of the first plant at or after a key (binary search). */
const indexOfKey = (plants: readonly RankedPlant[], key: SortKey): number => {
  let low = 0;
  let high = plants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const plant = plants[middle];
    if (plant !== undefined && compareUtf8(plant.sortKey, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};
