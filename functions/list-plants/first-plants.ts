import type { StoredPlant } from '../../table/item.ts';
import { optionalFields, type Plant } from '../../table/plant.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8.ts';

/** How much of the list is kept. */
export interface PageBounds {
  /** At most this many plants, and one more that shows whether others follow; Infinity: all. */
  readonly limit: number;
  /** Only as many as are needed to exceed this many bytes of JSON. */
  readonly maxBytes: number;
}

interface Copy extends StoredPlant {
  /** The place of its principal among the caller's. */
  readonly rank: number;
  readonly bytes: number;
}

/** The first plants in order of all that were added, each once. */
export class FirstPlants {
  /** The least bytes of their JSON. Another copy of a plant may have less. */
  bytes = 0;
  /** The last key that can be in the response; undefined: any can. */
  last: SortKey | undefined;
  /** Whether the first `limit` plants exceed `maxBytes`, whatever copies follow. */
  isTooLarge = false;
  readonly #bounds: PageBounds;
  #kept = new Map<SortKey, Copy>();

  constructor(bounds: PageBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Adds plants in order. Of two copies of a plant, that of the lower rank counts. */
  add(plants: readonly StoredPlant[], rank: number): void {
    for (const { sortKey, plant } of plants) {
      if (this.last !== undefined && compareUtf8(sortKey, this.last) > 0) return;
      const other = this.#kept.get(sortKey);
      if (other !== undefined && other.rank < rank) continue;
      const copy = { sortKey, plant, rank, bytes: leastJsonBytes(plant) };
      this.#kept.set(sortKey, copy);
      this.bytes += copy.bytes - (other?.bytes ?? 0);
    }
  }

  /**
   * Drops the plants that cannot be in the response.
   * @param settledRank copies up to this rank cannot be replaced any more
   */
  cut(settledRank: number): void {
    const { limit, maxBytes } = this.#bounds;
    if (this.size <= limit && this.bytes <= maxBytes) return;
    const first: Copy[] = [];
    let certainBytes = 0;
    for (const copy of this.inOrder()) {
      first.push(copy);
      if (first.length > limit) break;
      certainBytes += copy.rank <= settledRank ? copy.bytes : leastJsonBytes({ name: copy.plant.name });
      if (certainBytes > maxBytes) break;
    }
    this.isTooLarge = certainBytes > maxBytes;
    if (first.length <= limit && !this.isTooLarge) return;
    this.last = first.at(-1)?.sortKey;
    this.#kept = new Map(first.map((copy) => [copy.sortKey, copy]));
    this.bytes = first.reduce((sum, copy) => sum + copy.bytes, 0);
  }

  inOrder(): readonly Copy[] {
    return [...this.#kept.values()].sort((a, b) => compareUtf8(a.sortKey, b.sortKey));
  }
}

/** The least bytes that a plant takes in a JSON array: escapes only make it longer. */
const leastJsonBytes = (plant: Plant): number =>
  optionalFields.reduce(
    (sum, { field }) => {
      const text = plant[field];
      return text === undefined ? sum : sum + `,"${field}":""`.length + Buffer.byteLength(text);
    },
    '{"name":""},'.length + Buffer.byteLength(plant.name),
  );
