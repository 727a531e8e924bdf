import { itemOf, type StoredPlant } from '../../../table/item.ts';
import { type ItemKey, itemKey } from '../../../table/keys.ts';
import type { Principal } from '../../../table/principal.ts';
import { isSortKey, type SortKey, sortKeyOf as sortKeyText } from '../../../table/sort-key.ts';
import type { Item } from '../../contract/target.ts';

// By default, the id of a plant is its name, so that plants with other names have other ids.

/** @throws {Error} when the key exceeds a limit of the table */
export const sortKeyOf = (name: string, id = name): SortKey => {
  const key = sortKeyText(name, id);
  if (!isSortKey(key)) throw new Error(`${JSON.stringify(key)} is not a sort key.`);
  return key;
};

/** The primary key of a plant's item. */
export const key = (principal: Principal, name: string, id = name): ItemKey =>
  itemKey(principal, sortKeyOf(name, id));

/** The item of a plant. Its tag need not be valid. */
export const item = (principal: Principal, name: string, id = name, tag?: string): Item => ({
  ...itemOf(principal, { id, name }),
  ...(tag !== undefined && { tag: { S: tag } }),
});

export const storedPlant = (name: string, id = name, tag?: string): StoredPlant => ({
  sortKey: sortKeyOf(name, id),
  plant: { name, ...(tag !== undefined && { tag }) },
});

/** The UTF-16 units of a plant and a comma in a response, in which Lambda escapes the quotes of the body. */
export const responseLength = (plant: object): number =>
  JSON.stringify(JSON.stringify(plant)).slice(1, -1).length + ','.length;
