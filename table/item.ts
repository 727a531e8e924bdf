import { fits, type OptionalField, optionalFields } from './fields.ts';
import { type ItemKey, itemKey, plantIndex, primaryKey } from './keys.ts';
import type { IdentifiedPlant, Plant } from './plant.ts';
import type { Principal } from './principal.ts';
import { hasName, isSortKey, type SortKey, sortKeyOf } from './sort-key.ts';

/** An attribute in DynamoDB's protocol. Only strings have an `S`; other types are not read. */
export type Attribute = { readonly S?: unknown } | undefined;

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, Attribute>>;

/** The item of a plant, ready to be written. */
export type PlantItem = ItemKey &
  Readonly<Record<'name' | (typeof plantIndex)['partitionKey'], { readonly S: string }>> &
  Partial<Record<OptionalField, { S: string }>>;

/** A plant with its position in the order. */
export interface StoredPlant {
  readonly sortKey: SortKey;
  readonly plant: Plant;
}

/** The item that gives a principal access to a plant. */
export const itemOf = (principal: Principal, plant: IdentifiedPlant): PlantItem => {
  const { id, name } = plant;
  const item: PlantItem = {
    ...itemKey(principal, sortKeyOf(name, id)),
    name: { S: name },
    [plantIndex.partitionKey]: { S: id },
  };
  for (const { field } of optionalFields) {
    const value = plant[field];
    if (value !== undefined) item[field] = { S: value };
  }
  return item;
};

/**
 * Reads the plant of an item.
 * @returns undefined for a damaged item: its sort key lacks a name or an id or exceeds a limit, its `name` is
 * not the name in the sort key, or an optional field is not a string or exceeds its limit
 */
export const parseItem = (item: Item): StoredPlant | undefined => {
  const sortKey = textOf(item[primaryKey.sortKey]);
  const name = textOf(item['name']);
  if (!isSortKey(sortKey) || name === undefined || !hasName(sortKey, name)) return undefined;
  const plant: { name: string } & Partial<Record<OptionalField, string>> = { name };
  for (const { field, maxBytes } of optionalFields) {
    const attribute = item[field];
    if (attribute === undefined) continue;
    const value = textOf(attribute);
    if (value === undefined || !fits(value, maxBytes)) return undefined;
    plant[field] = value;
  }
  return { sortKey, plant };
};

const fieldNames = ['name', ...optionalFields.map(({ field }) => field)];

/** Attributes that a Query must return for `parseItem`. The `#` allows reserved words, such as `name`. */
export const projection = {
  ProjectionExpression: [primaryKey.sortKey, ...fieldNames.map((field) => `#${field}`)].join(', '),
  ExpressionAttributeNames: Object.fromEntries(fieldNames.map((field) => [`#${field}`, field])),
} as const;

/** The value of a string attribute; undefined for another type. */
export const textOf = (attribute: Attribute): string | undefined =>
  typeof attribute?.S === 'string' ? attribute.S : undefined;
