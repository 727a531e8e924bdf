import type { StoredPlant } from '../../../table/item.ts';
import { isSortKey, type SortKey, sortKeyOf as sortKeyText } from '../../../table/sort-key.ts';

/** @throws {Error} when the key exceeds a limit of the table */
export const sortKeyOf = (name: string, id = '1'): SortKey => {
  const key = sortKeyText(name, id);
  if (!isSortKey(key)) throw new Error(`${JSON.stringify(key)} is not a sort key.`);
  return key;
};

export const storedPlant = (name: string, id = '1', tag?: string): StoredPlant => ({
  sortKey: sortKeyOf(name, id),
  plant: { name, ...(tag !== undefined && { tag }) },
});
