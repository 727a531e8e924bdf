import type { StoredPlant } from '../../table/item.ts';
import { optionalFields, type Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8.ts';

interface Copy extends StoredPlant {
  /** The rank of its principal: 0 for the user, 1 and above for the groups. */
  readonly rank: number;
  readonly bytes: number;
}

/** Merges the principals' plants, added in any order, and keeps the first ones, each once. */
export class FirstPlants {
  readonly #limit: number;
  readonly #maxBytes: number;
  /** Fast path: a single DynamoDB response (1 MB) is sorted and has no duplicates; no bytes are counted. */
  #unmerged: { readonly plants: readonly StoredPlant[]; readonly rank: number }[] = [];
  #kept = new Map<SortKey, Copy>();
  #bytes = 0;
  #last: SortKey | undefined;

  /** `cut` keeps one plant beyond `limit`, as proof that more follow, or one beyond `maxBytes`, at most. */
  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** Lower bound of the JSON size of the kept copies; tracked once several DynamoDB responses are merged. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Upper bound of the keys in the response; undefined: none yet. */
  get last(): SortKey | undefined {
    return this.#last;
  }

  /** Whether the first `limit` plants exceed `maxBytes`, whichever copies of them are still unread. */
  get isTooLarge(): boolean {
    // A cut at the limit keeps `limit` + 1 copies: with fewer, the cut was at `maxBytes`.
    return this.#last !== undefined && this.#kept.size <= this.#limit;
  }

  /** Adds plants, sorted by key. Of two copies of a plant, the one with the lower rank is kept. */
  add(plants: readonly StoredPlant[], rank: number): void {
    if (plants.length === 0) return;
    this.#unmerged.push({ plants, rank });
    if (this.#unmerged.length + this.#kept.size > 1) this.#merge();
  }

  #merge(): void {
    for (const { plants, rank } of this.#unmerged.splice(0)) {
      for (const { sortKey, plant } of plants) {
        if (this.#last !== undefined && compareUtf8(sortKey, this.#last) > 0) break;
        const other = this.#kept.get(sortKey);
        if (other !== undefined && other.rank < rank) continue;
        const copy = { sortKey, plant, rank, bytes: minJsonBytes(plant) };
        this.#kept.set(sortKey, copy);
        this.#bytes += copy.bytes - (other?.bytes ?? 0);
      }
    }
  }

  /**
   * Drops what follows `limit` + 1 plants, or the plant with which the certain bytes exceed `maxBytes`.
   * @param settledRank principals before this rank are fully read, so copies up to it are final
   */
  cut(settledRank: number): void {
    const size = this.#unmerged[0]?.plants.length ?? this.#kept.size;
    if (size <= this.#limit && this.#bytes <= this.#maxBytes) return;
    this.#merge();
    const first: Copy[] = [];
    let certainBytes = 0;
    for (const copy of this.#copiesInOrder()) {
      first.push(copy);
      if (first.length > this.#limit) break;
      certainBytes += copy.rank <= settledRank ? copy.bytes : minJsonBytes({ name: copy.plant.name });
      if (certainBytes > this.#maxBytes) break;
    }
    if (first.length <= this.#limit && certainBytes <= this.#maxBytes) return;
    this.#last = first.at(-1)?.sortKey;
    this.#kept = new Map(first.map((copy) => [copy.sortKey, copy]));
    this.#bytes = first.reduce((sum, copy) => sum + copy.bytes, 0);
  }

  inOrder(): readonly StoredPlant[] {
    return this.#unmerged[0]?.plants ?? this.#copiesInOrder();
  }

  #copiesInOrder(): readonly Copy[] {
    return [...this.#kept.values()].sort((a, b) => compareUtf8(a.sortKey, b.sortKey));
  }
}

/** Lower bound of a plant's size in Lambda's response, which escapes each quote of the body's JSON array. */
const minJsonBytes = (plant: Plant): number => {
  let bytes = String.raw`{\"name\":\"\"},`.length + Buffer.byteLength(plant.name);
  for (const { field } of optionalFields) {
    const text = plant[field];
    if (text !== undefined) bytes += String.raw`\"\":\"\",`.length + field.length + Buffer.byteLength(text);
  }
  return bytes;
};

/** The size of the smallest plant in Lambda's response, with its comma. */
export const minPlantBytes = minJsonBytes({ name: 'a' });
