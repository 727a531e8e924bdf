import { fields } from './fields.ts';
import type { IdentifiedPlant, Plant } from './plant.ts';
import { fits } from './text-size.ts';

/** `<name> U+0000 <plant id>`: the table's sort key, a plant's position in the order and its identity. */
export type SortKey = string & { readonly __brand: 'SortKey' };

type Identity = Pick<IdentifiedPlant, 'id' | 'name'>;

/** AWS: "Quotas in Amazon DynamoDB", sort key length. */
export const maxSortKeyBytes = 1024;

const separator = '\u0000';

/** Joins a name without U+0000 and an id. The result can exceed the limits that `isSortKey` checks. */
export const sortKeyOf = ({ id, name }: Identity): string => `${name}${separator}${id}`;

/** Whether a value is a sort key: a name of 1 to 900 bytes, U+0000, an id; at most 1,024 bytes. */
export const isSortKey = (value: unknown): value is SortKey => {
  if (typeof value !== 'string') return false;
  const nameEnd = value.indexOf(separator);
  if (nameEnd < 1 || nameEnd === value.length - 1) return false;
  return fits(value, maxSortKeyBytes) && fits(value.slice(0, nameEnd), fields.name.maxBytes);
};

/**
 * Whether a sort key of the table is that of a valid plant, whose id can be any. The table has no sort key of
 * more than 1,024 bytes.
 */
export const isKeyOf = (sortKey: string | undefined, { name }: Plant): sortKey is SortKey =>
  sortKey?.charAt(name.length) === separator && sortKey.length > name.length + 1 && sortKey.startsWith(name);

/** The id in the text of a sort key: the text after the first U+0000, or empty text without a U+0000. */
export const idIn = (sortKey: string): string => {
  const nameEnd = sortKey.indexOf(separator);
  return nameEnd === -1 ? '' : sortKey.slice(nameEnd + 1);
};

/** Why a valid id and a valid name make no sort key, or undefined if they make a sort key. */
export const keyProblem = (plant: Identity): string | undefined =>
  fits(sortKeyOf(plant), maxSortKeyBytes)
    ? undefined
    : `id and name have together more than ${String(maxSortKeyBytes - separator.length)} bytes of UTF-8`;
