import type { StoredPlant } from '../../table/item.ts';
import { optionalFields, type Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/order.ts';

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
  /** The only response of the store so far: in order and without copies, it is returned as it is. */
  #only: { readonly plants: readonly StoredPlant[]; readonly rank: number } | undefined;
  /** Runs of plants in order, each plant once in a run. A run is at least twice as long as the next one. */
  readonly #merged: RankedPlant[][] = [];
  /** The number of plants in all runs. */
  #count = 0;
  /** The lower bound of their size in the response. */
  #bytes = 0;
  #bound: SortKey | undefined;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** The key of the last plant to list, once others follow it; undefined until then. */
  get bound(): SortKey | undefined {
    return this.#bound;
  }

  /** Whether the plants exceed `maxBytes` of JSON; false for a single response of the store, of 1 MB. */
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
      this.#bytes += minJsonBytes(plant);
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
      this.#bytes -= minJsonBytes(plant);
    }
  }

  /** Drops the plants after the first `limit` of the only run. */
  #cut(): void {
    const [run = []] = this.#merged;
    for (const { plant } of run.splice(this.#limit)) this.#bytes -= minJsonBytes(plant);
    this.#count = run.length;
    this.#bound = run.at(-1)?.sortKey;
  }
}

/**
 * Merges the plants of a run into another run.
 * @returns the copies that were dropped
 */
const mergeInto = (run: RankedPlant[], others: readonly RankedPlant[]): readonly RankedPlant[] => {
  const [first] = others;
  if (first === undefined) return [];
  const dropped: RankedPlant[] = [];
  const added: { readonly plant: RankedPlant; readonly index: number }[] = [];
  const start = indexOfKey(run, first.sortKey);
  let index = start;
  for (const other of others) {
    let plant = run[index];
    while (plant !== undefined && compareUtf8(plant.sortKey, other.sortKey) < 0) {
      index += 1;
      plant = run[index];
    }
    if (plant?.sortKey !== other.sortKey) {
      added.push({ plant: other, index });
    } else if (plant.rank < other.rank) {
      dropped.push(other);
    } else {
      run[index] = other;
      dropped.push(plant);
    }
  }
  if (added.length === 0) return dropped;
  const rest = run.splice(start);
  let moved = start;
  for (const { plant, index } of added) {
    for (const before of rest.slice(moved - start, index - start)) run.push(before);
    moved = index;
    run.push(plant);
  }
  for (const after of rest.slice(moved - start)) run.push(after);
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
/** Lambda's response has the body's JSON array with each quote escaped. */
const nameOverhead = String.raw`{\"name\":\"\"},`.length;
const fieldOverhead = String.raw`\"\":\"\",`.length;

/** Lower bound of a plant's size in the response: a text has at least as many bytes as UTF-16 units. */
const minJsonBytes = (plant: Plant): number => {
  let bytes = nameOverhead + plant.name.length;
  for (const { field } of optionalFields) {
    const text = plant[field];
    if (text !== undefined) bytes += fieldOverhead + field.length + text.length;
  }
  return bytes;
};

/** The size of the smallest plant in the response, with its comma. */
export const minPlantBytes = minJsonBytes({ name: 'a' });
