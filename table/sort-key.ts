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

/** Whether a value is the sort key of a valid plant. Any id matches, because `Plant` has no id. */
export const isKeyOf = (value: unknown, { name }: Plant): value is SortKey =>
  isSortKey(value) && value.startsWith(name) && value.startsWith(separator, name.length);

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
