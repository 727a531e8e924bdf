/** A plant as the API shows it (specification, "Plant"). */
export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** `<name> U+0000 <plant id>`: the table's sort key, a plant's place in the order and its identity. */
export type SortKey = string & { readonly __brand: 'SortKey' };

/** A plant with its place in the order. */
export interface StoredPlant {
  readonly sortKey: SortKey;
  readonly plant: Plant;
}

const separator = '\u0000';
const maxNameBytes = 900;
/** AWS: "Quotas in Amazon DynamoDB", sort key length. */
const maxSortKeyBytes = 1024;

/** Whether a value has the shape of a sort key: a name of 1 to 900 bytes, U+0000, an id; 1,024 bytes at most. */
export const isSortKey = (value: unknown): value is SortKey => {
  if (typeof value !== 'string') return false;
  const nameEnd = value.indexOf(separator);
  if (nameEnd < 1 || nameEnd === value.length - 1) return false;
  // UTF-8 takes at most three bytes for a UTF-16 unit, so most keys need no count.
  if (value.length * 3 <= maxNameBytes) return true;
  return (
    Buffer.byteLength(value) <= maxSortKeyBytes && Buffer.byteLength(value.slice(0, nameEnd)) <= maxNameBytes
  );
};

/** Whether a sort key is the place of a plant of this name. */
export const isPlaceOf = (sortKey: SortKey, name: string): boolean =>
  sortKey.startsWith(name) && sortKey.indexOf(separator) === name.length;
