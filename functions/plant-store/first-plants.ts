import type { StoredPlant } from '../../table/item.ts';
import { optionalFields, type Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8.ts';

interface RankedPlant extends StoredPlant {
  /** The rank of its principal: 0 for the user, 1 and above for the groups. */
  readonly rank: number;
}

/** Merges the principals' plants, added in any order, and keeps the first `limit`, each once. */
export class FirstPlants {
  readonly #limit: number;
  readonly #maxBytes: number;
  /** A single DynamoDB response is in order and has no copies: it stays as it is until another follows. */
  #unmerged: { readonly plants: readonly StoredPlant[]; readonly rank: number }[] = [];
  #kept = new Map<SortKey, RankedPlant>();
  #bytes = 0;
  #last: SortKey | undefined;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** No plant after this key is listed, and at least one follows; undefined: not known yet. */
  get last(): SortKey | undefined {
    return this.#last;
  }

  /** Whether the first plants that were added exceed `maxBytes` of JSON. */
  get isTooLarge(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** Adds plants, sorted by key. Of the copies of a plant, the one with the lowest rank is kept. */
  add(plants: readonly StoredPlant[], rank: number): void {
    if (plants.length === 0) return;
    const isSingle = this.#unmerged.length === 0 && this.#kept.size === 0;
    this.#unmerged.push({ plants, rank });
    if (isSingle && plants.length <= this.#limit) return;
    this.#merge();
    const size = this.#kept.size;
    if (size <= this.#limit) return;
    // Each cut sorts, so the next one waits until it removes as many plants as it keeps.
    if (this.#last === undefined || size > 2 * this.#limit || this.isTooLarge) this.#cut();
  }

  /** The first plants in order. */
  inOrder(): readonly StoredPlant[] {
    return this.#unmerged[0]?.plants ?? this.#firstKept();
  }

  #merge(): void {
    for (const { plants, rank } of this.#unmerged.splice(0)) {
      for (const { sortKey, plant } of plants) {
        if (this.#last !== undefined && compareUtf8(sortKey, this.#last) > 0) break;
        const other = this.#kept.get(sortKey);
        if (other !== undefined && other.rank < rank) continue;
        this.#kept.set(sortKey, { sortKey, plant, rank });
        this.#bytes += minJsonBytes(plant) - (other === undefined ? 0 : minJsonBytes(other.plant));
      }
    }
  }

  /** Sorts in linear time, because the plants are a few sorted runs. */
  #firstKept(): readonly RankedPlant[] {
    const sorted = [...this.#kept.values()].sort((a, b) => compareUtf8(a.sortKey, b.sortKey));
    return sorted.slice(0, this.#limit);
  }

  #cut(): void {
    const first = this.#firstKept();
    this.#last = first.at(-1)?.sortKey;
    this.#kept = new Map(first.map((plant) => [plant.sortKey, plant]));
    this.#bytes = first.reduce((sum, { plant }) => sum + minJsonBytes(plant), 0);
  }
}

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
