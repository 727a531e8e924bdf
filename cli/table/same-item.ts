import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StoredItem } from './grant.ts';

/** Whether two items have the same attributes. The members of a set have no order. */
export const sameItem = (a: StoredItem, b: StoredItem): boolean =>
  isDeepStrictEqual(withOrderedSets(a), withOrderedSets(b));

const withOrderedSets = (item: StoredItem): unknown =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, ordered(value)]));

const ordered = ({ SS: strings, NS: numbers, BS: binaries, ...other }: AttributeValue): unknown => {
  if (other.M !== undefined) return { M: withOrderedSets(other.M) };
  if (other.L !== undefined) return { L: other.L.map(ordered) };
  const members = strings ?? numbers ?? binaries?.map((each) => Buffer.from(each).toString('base64'));
  return members === undefined ? other : { [strings ? 'SS' : numbers ? 'NS' : 'BS']: members.toSorted() };
};
