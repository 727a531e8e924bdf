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

/** The first plants in order of all that were added, each once. */
export interface FirstPlants {
  /**
   * Adds plants, which are in order. Of two copies of a plant, that of the lower rank counts.
   * @param rank the place of their principal among the caller's
   */
  readonly add: (plants: readonly StoredPlant[], rank: number) => void;
  /**
   * Drops the plants that cannot be in the response.
   * @param settledRank copies up to this rank cannot be replaced any more
   */
  readonly cut: (settledRank: number) => void;
  readonly size: () => number;
  /** The least bytes of their JSON. Another copy of a plant may have less. */
  readonly bytes: () => number;
  /** The last key that can be in the response; undefined: any can. */
  readonly last: () => SortKey | undefined;
  /** Whether the first `limit` plants exceed `maxBytes`, whatever copies follow. */
  readonly isTooLarge: () => boolean;
  readonly inOrder: () => readonly StoredPlant[];
}

interface Copy extends StoredPlant {
  readonly rank: number;
  readonly bytes: number;
}

/** An empty list. */
export const firstPlants = ({ limit, maxBytes }: PageBounds): FirstPlants => {
  let kept = new Map<SortKey, Copy>();
  let bytes = 0;
  let last: SortKey | undefined;
  let tooLarge = false;

  const inOrder = (): readonly Copy[] => [...kept.values()].sort((a, b) => compareUtf8(a.sortKey, b.sortKey));

  return {
    add: (plants, rank) => {
      for (const { sortKey, plant } of plants) {
        if (last !== undefined && compareUtf8(sortKey, last) > 0) return;
        const other = kept.get(sortKey);
        if (other !== undefined && other.rank < rank) continue;
        const copy = { sortKey, plant, rank, bytes: leastJsonBytes(plant) };
        kept.set(sortKey, copy);
        bytes += copy.bytes - (other?.bytes ?? 0);
      }
    },
    cut: (settledRank) => {
      if (kept.size <= limit && bytes <= maxBytes) return;
      const first: Copy[] = [];
      let certainBytes = 0;
      for (const copy of inOrder()) {
        first.push(copy);
        if (first.length > limit) break;
        certainBytes += copy.rank <= settledRank ? copy.bytes : leastJsonBytes({ name: copy.plant.name });
        if (certainBytes > maxBytes) break;
      }
      tooLarge = certainBytes > maxBytes;
      if (first.length <= limit && !tooLarge) return;
      last = first.at(-1)?.sortKey;
      kept = new Map(first.map((copy) => [copy.sortKey, copy]));
      bytes = first.reduce((sum, copy) => sum + copy.bytes, 0);
    },
    size: () => kept.size,
    bytes: () => bytes,
    last: () => last,
    isTooLarge: () => tooLarge,
    inOrder,
  };
};

/** The least bytes that a plant takes in a JSON array: escapes only make it longer. */
export const leastJsonBytes = (plant: Plant): number =>
  optionalFields.reduce(
    (sum, { field }) => {
      const text = plant[field];
      return text === undefined ? sum : sum + `,"${field}":""`.length + Buffer.byteLength(text);
    },
    '{"name":""},'.length + Buffer.byteLength(plant.name),
  );
