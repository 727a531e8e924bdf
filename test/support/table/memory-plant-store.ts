import type { StoredPlant } from '../../../table/item.ts';
import type { ReadResult, PlantQuery, PlantStore } from '../../../functions/plant-store/plant-store.ts';

/** A plant, or a damaged item. */
export type TableItem = StoredPlant | { readonly sortKey: string };

/** The items of each principal, in any order. */
export type Table = Readonly<Record<string, readonly TableItem[]>>;

const isPlant = (item: TableItem): item is StoredPlant => 'plant' in item;

export const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const sorted = new WeakMap<readonly TableItem[], readonly TableItem[]>();

/** The items in order of their keys, sorted once. */
const inOrder = (items: readonly TableItem[]): readonly TableItem[] => {
  const known = sorted.get(items) ?? items.toSorted((a, b) => compareBytes(a.sortKey, b.sortKey));
  sorted.set(items, known);
  return known;
};

/** More reads than any test needs. Without this limit, a test with a wrong order would read forever. */
const maxReads = 5000;

/**
 * Responds as a DynamoDB Query does, so a full response always has a key to continue from.
 * @param pageSize the maximum number of items in a response
 */
export const memoryPlantStore = (table: Table, pageSize = 1000): PlantStore => {
  let reads = 0;
  return {
    read: ({ principal, after, upTo, limit }, signal) => {
      signal.throwIfAborted();
      if (after !== undefined && upTo !== undefined && compareBytes(after, upTo) >= 0)
        throw new Error('ValidationException: the starting key is outside the query boundaries.');
      reads += 1;
      if (reads > maxReads) throw new Error('The test read the store too often.');
      const size = Math.min(limit, pageSize);
      const items = inOrder(table[principal] ?? [])
        .filter(({ sortKey }) => after === undefined || compareBytes(sortKey, after) > 0)
        .filter(({ sortKey }) => upTo === undefined || compareBytes(sortKey, upTo) <= 0)
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

/** A store whose reads end only when their signal aborts. */
export const hangingPlantStore = (onAbort: (principal: string) => void = () => undefined): PlantStore => ({
  read: ({ principal }, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        onAbort(principal);
        reject(new Error('ended'));
      });
    }),
});

/** A store that records each query to another store with its result. */
export const recordingStore = (
  store: PlantStore,
): PlantStore & {
  readonly reads: readonly { readonly query: PlantQuery; readonly result: ReadResult }[];
} => {
  const reads: { query: PlantQuery; result: ReadResult }[] = [];
  return {
    reads,
    read: async (query, signal) => {
      const result = await store.read(query, signal);
      reads.push({ query, result });
      return result;
    },
  };
};
