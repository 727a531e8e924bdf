import { isSortKey, type SortKey, type StoredPlant } from '../../table/sort-key.ts';

/** @throws {Error} when the table could not hold a plant under this key */
export const sortKeyOf = (name: string, id = '1'): SortKey => {
  const key = `${name}\u0000${id}`;
  if (!isSortKey(key)) throw new Error(`${JSON.stringify(key)} is not a sort key.`);
  return key;
};

export const storedPlant = (name: string, id = '1', tag?: string): StoredPlant => ({
  sortKey: sortKeyOf(name, id),
  plant: { name, ...(tag !== undefined && { tag }) },
});
