import { fits } from './text-size.ts';

/** The id of a plant, which is the table's sort key: its identity, and its position in the order. */
export type SortKey = string & { readonly __brand: 'SortKey' };

/** AWS: "Quotas in Amazon DynamoDB", sort key length. */
export const maxSortKeyBytes = 1024;

/** The sort key of a plant. It is the id alone, so one consistent read finds a plant by its id. */
export const sortKeyOf = ({ id }: { readonly id: string }): string => id;

/**
 * Whether a value is an id: a text of at most 1,024 bytes that can be one segment of a path. A segment has no
 * slash, and clients remove the segments `.` and `..` (RFC 3986 section 5.2.4). The service makes UUIDs of
 * version 7, and imported plants can have other ids.
 */
export const isSortKey = (value: unknown): value is SortKey =>
  typeof value === 'string' && problemOf(value) === undefined;

/** Why a text is not an id, or undefined if it is one. */
const problemOf = (id: string): string | undefined => {
  if (id === '') return 'is empty';
  if (id === '.' || id === '..') return 'is . or .., so it cannot be in a path';
  if (id.includes('/')) return 'has a slash, so it cannot be in a path';
  return fits(id, maxSortKeyBytes) ? undefined : `has more than ${String(maxSortKeyBytes)} bytes of UTF-8`;
};

/** Whether a value is the sort key of a valid plant. Any plant can have any id, so no plant is compared. */
export const isKeyOf = isSortKey;

/** The id in a sort key. */
export const idIn = (sortKey: string): string => sortKey;

/** What is wrong with the id of an imported plant, or undefined if the id is valid. */
export const keyProblem = ({ id }: { readonly id: string }): string | undefined => {
  const problem = problemOf(id);
  return problem === undefined ? undefined : `id ${problem}`;
};
