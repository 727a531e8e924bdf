import type { PlantStore } from '../../functions/list-plants/plant-store.ts';
import type { StoredPlant } from '../../table/item.ts';
import type { Principal } from '../../table/principal.ts';
import { sortKeyOf, storedPlant } from './stored-plants.ts';

/** A table in which each principal has the same number of plants of one size. */
export interface LargeTable {
  readonly principals: readonly Principal[];
  readonly plants: number;
  readonly tagLength: number;
  /** Where the principals' plants are in the list: one principal after the other, in turn, or the same for all. */
  readonly names: 'disjoint' | 'alternating' | 'identical';
}

/** A read as the store saw it. */
export interface LargeRead {
  readonly limit: number | undefined;
  /** How many plants were returned. */
  readonly returned: number;
  /** How many reads were in progress when it started, with itself. */
  readonly concurrent: number;
}

/** As DynamoDB counts a result set. */
const maxPageBytes = 1024 * 1024;
const nameLength = 8;

/** A store that answers each read later, with at most 1 MB, and counts what it is asked for. */
export const largePlantStore = (
  table: LargeTable,
): PlantStore & {
  readonly reads: readonly LargeRead[];
  readonly itemBytes: number;
  /** What the reads in progress may return. */
  readonly requestedBytes: () => number;
  readonly readBytes: () => number;
} => {
  const { principals, plants, tagLength, names } = table;
  const plantAt = (position: number): StoredPlant =>
    storedPlant(String(position).padStart(nameLength, '0'), '1', 'x'.repeat(tagLength));
  const position = (principal: number, index: number): number =>
    ({
      disjoint: principal * plants + index,
      alternating: index * principals.length + principal,
      identical: index,
    })[names];
  const indexAfter = (principal: number, key: string): number =>
    Array.from({ length: plants }).findIndex(
      (_, index) => sortKeyOf(String(position(principal, index)).padStart(nameLength, '0')) > key,
    );
  // Names of attributes, values, and 10 bytes of the principal's key.
  const itemBytes = 'principalsortKeynametag'.length + 10 + 2 * nameLength + 2 + tagLength;
  const pageLength = Math.floor(maxPageBytes / itemBytes);
  const reads: LargeRead[] = [];
  let concurrent = 0;
  let requested = 0;
  let read = 0;
  return {
    reads,
    itemBytes,
    requestedBytes: () => requested * itemBytes,
    readBytes: () => read * itemBytes,
    readPlants: async ({ principal, after, limit }) => {
      const reader = principals.findIndex((each) => each === principal);
      const most = Math.min(limit ?? Infinity, pageLength);
      const start = after === undefined ? 0 : indexAfter(reader, after);
      const length = start === -1 ? 0 : Math.min(most, plants - start);
      concurrent += 1;
      requested += most;
      reads.push({ limit, returned: length, concurrent });
      await new Promise((resolve) => setImmediate(resolve));
      concurrent -= 1;
      requested -= most;
      read += length;
      const page = Array.from({ length }, (_, index) => plantAt(position(reader, start + index)));
      return { plants: page, damaged: 0, next: length === most ? page.at(-1)?.sortKey : undefined };
    },
  };
};
