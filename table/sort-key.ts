import { fits, maxNameBytes, maxSortKeyBytes } from './fields.ts';

/** `<name> U+0000 <plant id>`: the table's sort key, a plant's position in the order and its identity. */
export type SortKey = string & { readonly __brand: 'SortKey' };

const separator = '\u0000';

/** Joins a name without U+0000 and an id. The result can exceed the limits that `isSortKey` checks. */
export const sortKeyOf = (name: string, id: string): string => `${name}${separator}${id}`;

/** Whether a value is a sort key: a name of 1 to 900 bytes, U+0000, an id; at most 1,024 bytes. */
export const isSortKey = (value: unknown): value is SortKey => {
  if (typeof value !== 'string') return false;
  const nameEnd = value.indexOf(separator);
  if (nameEnd < 1 || nameEnd === value.length - 1) return false;
  return fits(value, maxSortKeyBytes) && fits(value.slice(0, nameEnd), maxNameBytes);
};

/** Whether this is the sort key of a plant with this name. */
export const hasName = (sortKey: SortKey, name: string): boolean =>
  sortKey.startsWith(name) && sortKey.indexOf(separator) === name.length;

/** The id in the text of a sort key: all that follows the first U+0000; empty where there is none. */
export const idIn = (sortKey: string): string => {
  const nameEnd = sortKey.indexOf(separator);
  return nameEnd === -1 ? '' : sortKey.slice(nameEnd + 1);
};
