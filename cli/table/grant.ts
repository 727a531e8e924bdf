import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { parseItem, textOf } from '../../table/item.ts';
import type { IdentifiedPlant } from '../../table/plant.ts';
import { idIn } from '../../table/sort-key.ts';
import { UserError } from '../../terminal/user-error.ts';

/** An item as the SDK returns it, with all attributes. */
export type StoredItem = Readonly<Record<string, AttributeValue>>;

/** The key of an item. */
export interface GrantKey {
  readonly principal: string;
  readonly sortKey: string;
}

/** An item of the table; `plant` is undefined for a damaged item. */
export interface Grant extends GrantKey {
  readonly plant: IdentifiedPlant | undefined;
  readonly item: StoredItem;
}

/** A part of a partition. */
export interface KeyRange {
  readonly principal: string;
  /** The range begins behind this sort key; undefined: with the first. */
  readonly after?: string | undefined;
  /** The last sort key of the range; undefined: that of the partition. */
  readonly upTo?: string | undefined;
}

/** A key as the SDK takes it. */
export const keyOf = ({ principal, sortKey }: GrantKey): Record<keyof GrantKey, { S: string }> => ({
  principal: { S: principal },
  sortKey: { S: sortKey },
});

/** @throws {UserError} when the item is of a table with other keys */
export const keyFrom = (item: StoredItem): GrantKey => {
  const [principal, sortKey] = [textOf(item['principal']), textOf(item['sortKey'])];
  if (principal === undefined || sortKey === undefined) throw otherTable();
  return { principal, sortKey };
};

/** @throws {UserError} when the item is of a table with other keys */
export const grantFrom = (item: StoredItem): Grant => {
  const key = keyFrom(item);
  const stored = parseItem(item);
  return { ...key, plant: stored && { id: idIn(key.sortKey), ...stored.plant }, item };
};

export const otherTable = (): UserError =>
  new UserError('This is not a table of plants: it has other keys. Check --stage and --table.');
