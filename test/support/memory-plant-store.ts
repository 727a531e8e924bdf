import type { StoredPlant } from '../../table/item.ts';
import type { PlantPage, PlantQuery, PlantStore } from '../../functions/list-plants/plant-store.ts';

/** A plant, or an item that breaks the table's shape. */
export type TableItem = StoredPlant | { readonly sortKey: string };

/** What each principal was granted, in any order. */
export type Table = Readonly<Record<string, readonly TableItem[]>>;

const isPlant = (item: TableItem): item is StoredPlant => 'plant' in item;

export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** More reads than any list of a test takes: without an end to them, a wrong order would hang a test, not fail it. */
const maxReads = 5000;

/**
 * A store that answers as a DynamoDB Query does: a full page always names the key to go on from.
 * @param table looked up for every read, so that a test can change it in between
 * @param pageSize the most items given at once
 */
export const memoryPlantStore = (table: () => Table, pageSize = 1000): PlantStore => {
  let reads = 0;
  return {
    readPlants: ({ principal, after, limit = Infinity }, signal) => {
      signal.throwIfAborted();
      reads += 1;
      if (reads > maxReads) throw new Error('The store is read without end.');
      const size = Math.min(limit, pageSize);
      const items = [...(table()[principal] ?? [])]
        .sort((a, b) => compareBytes(a.sortKey, b.sortKey))
        .filter(({ sortKey }) => after === undefined || compareBytes(sortKey, after) > 0)
        .slice(0, size);
      const plants = items.filter(isPlant);
      return Promise.resolve({
        plants,
        damaged: items.length - plants.length,
        next: items.length === size ? items.at(-1)?.sortKey : undefined,
      });
    },
  };
};

/** Keeps the queries a store is asked, with the page it answered. */
export const watched = (
  store: PlantStore,
): PlantStore & { readonly reads: readonly { readonly query: PlantQuery; readonly page: PlantPage }[] } => {
  const reads: { query: PlantQuery; page: PlantPage }[] = [];
  return {
    reads,
    readPlants: async (query, signal) => {
      const page = await store.readPlants(query, signal);
      reads.push({ query, page });
      return page;
    },
  };
};
