import type { IdentifiedPlant, Plant } from './plant.ts';
import type { Principal } from './principal.ts';
import { hasName, isSortKey, type SortKey, sortKeyOf } from './sort-key.ts';

/** An attribute in DynamoDB's protocol. Only strings have an `S`; other types are not read. */
export type Attribute = { readonly S?: unknown } | undefined;

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, Attribute>>;

/** The item of a plant, ready to be written. */
export type PlantItem = Record<'principal' | 'sortKey' | 'name' | 'plantId', { S: string }> & {
  tag?: { S: string };
};

/** A plant with its position in the order. */
export interface StoredPlant {
  readonly sortKey: SortKey;
  readonly plant: Plant;
}

/** The item that gives a principal access to a plant. */
export const itemOf = (principal: Principal, { id, name, tag }: IdentifiedPlant): PlantItem => ({
  principal: { S: principal },
  sortKey: { S: sortKeyOf(name, id) },
  name: { S: name },
  ...(tag !== undefined && { tag: { S: tag } }),
  plantId: { S: id },
});

/**
 * Reads the plant of an item.
 * @returns undefined for a damaged item: its sort key lacks a name or an id or exceeds a limit, its `name` is not the
 * name in the sort key, or its `tag` is not a string
 */
export const parseItem = (item: Item): StoredPlant | undefined => {
  const sortKey = textOf(item['sortKey']);
  const name = textOf(item['name']);
  if (!isSortKey(sortKey) || name === undefined || !hasName(sortKey, name)) return undefined;
  if (item['tag'] === undefined) return { sortKey, plant: { name } };
  const tag = textOf(item['tag']);
  return tag === undefined ? undefined : { sortKey, plant: { name, tag } };
};

/** The text of a string attribute. */
export const textOf = (attribute: Attribute): string | undefined =>
  typeof attribute?.S === 'string' ? attribute.S : undefined;
