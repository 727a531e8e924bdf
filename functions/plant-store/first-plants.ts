import type { StoredPlant } from '../../table/item.ts';
import type { Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/order.ts';
import { minPlantBytes } from './plant-size.ts';

/** A list page: the first `limit` plants, or all. */
export interface ListPage {
  readonly plants: readonly Plant[];
  /** The sort key of the last plant, after which the next list page begins; undefined on the last page. */
  readonly next?: SortKey;
}

interface RankedPlant extends StoredPlant {
  /** The rank of its principal: 0 for the user, 1 and above for the groups. */
  readonly rank: number;
}

/**
 * Merges the principals' plants, added in any order, and keeps the first `limit`, each plant once.
 *
 * The plants are in runs. A run is sorted by key and has each plant once, but a plant can be in several runs.
 * Between calls of `add`:
 *
 * - A run is at least twice as long as the next run, so a plant is merged few times.
 * - If the plants exceed `limit` or `maxBytes`, there is a single run, because duplicates must not count.
 * - `#count` and `#bytes` are sums over all runs.
 */
export class FirstPlants {
  readonly #limit: number;
  readonly #maxBytes: number;
  /** Fast path: the only response of the store so far, listed unmerged. A second one turns it into a run. */
  #only: { readonly plants: readonly StoredPlant[]; readonly rank: number } | undefined;
  readonly #runs: RankedPlant[][] = [];
  /** The number of plants in all runs. */
  #count = 0;
  /** Lower bound of the size that the plants in all runs have in the response. */
  #bytes = 0;
  #bound: SortKey | undefined;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** The key of the last listed plant, once more than `limit` plants were added. Later plants are skipped. */
  get bound(): SortKey | undefined {
    return this.#bound;
  }

  /**
   * Whether the plants exceed `maxBytes` in the response. `#only` is not counted, because one response of the
   * store (1 MB) always fits.
   */
  get isTooLarge(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** Adds plants, sorted by key. If a plant was added before, the copy with the lower rank is kept. */
  add(plants: readonly StoredPlant[], rank: number): void {
    if (plants.length === 0) return;
    const only = this.#only;
    const isFirst = only === undefined && this.#runs.length === 0;
    if (isFirst && plants.length <= this.#limit) {
      this.#only = { plants, rank };
      return;
    }
    this.#only = undefined;
    if (only !== undefined) this.#addRun(only.plants, only.rank);
    this.#addRun(plants, rank);
  }

  /** The first plants in order. */
  page(): ListPage {
    while (this.#runs.length > 1) this.#mergeLast();
    const plants = this.#only?.plants ?? this.#runs[0] ?? [];
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
    this.#runs.push(run);
    while (this.#mustMerge()) this.#mergeLast();
    if (this.#count > this.#limit) this.#cut();
  }

  /**
   * Whether to merge the last two runs, because their lengths are similar, or because the runs exceed a limit
   * and merging may remove duplicates.
   */
  #mustMerge(): boolean {
    const [run, next] = this.#runs.slice(-2);
    if (run === undefined || next === undefined) return false;
    const areSimilar = run.length < 2 * next.length;
    return areSimilar || this.#count > this.#limit || this.isTooLarge;
  }

  /** Merges the last two runs. */
  #mergeLast(): void {
    const next = this.#runs.pop() ?? [];
    const run = this.#runs.at(-1) ?? [];
    for (const { plant } of mergeInto(run, next)) {
      this.#count -= 1;
      this.#bytes -= minPlantBytes(plant);
    }
  }

  /** Drops the plants after the first `limit`. `#mustMerge` has left a single run. */
  #cut(): void {
    const [run = []] = this.#runs;
    for (const { plant } of run.splice(this.#limit)) this.#bytes -= minPlantBytes(plant);
    this.#count = run.length;
    this.#bound = run.at(-1)?.sortKey;
  }
}

/**
 * Merges `next` into `run`, in place (two-way merge). If both have a plant, the copy with the lower rank is
 * kept.
 * @returns the copies that were dropped
 */
const mergeInto = (run: RankedPlant[], next: readonly RankedPlant[]): readonly RankedPlant[] => {
  const [firstOfNext] = next;
  if (firstOfNext === undefined) return [];
  const dropped: RankedPlant[] = [];
  // The plants of `run` before the first plant of `next` stay where they are.
  const rest = run.splice(indexOfKey(run, firstOfNext.sortKey));
  let index = 0;
  for (const right of next) {
    let left = rest[index];
    while (left !== undefined && compareUtf8(left.sortKey, right.sortKey) < 0) {
      run.push(left);
      index += 1;
      left = rest[index];
    }
    if (left?.sortKey !== right.sortKey) {
      run.push(right);
      continue;
    }
    // Both runs have the plant.
    index += 1;
    const isLeftKept = left.rank < right.rank;
    run.push(isLeftKept ? left : right);
    dropped.push(isLeftKept ? right : left);
  }
  for (const left of rest.slice(index)) run.push(left);
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
