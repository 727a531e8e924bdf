import { type IdentifiedPlant, type OptionalField, optionalFields, type Plant } from './plant.ts';
import type { Principal } from './principal.ts';
import { hasName, isSortKey, type SortKey, sortKeyOf } from './sort-key.ts';
import { fits } from './order.ts';

/** An attribute in DynamoDB's protocol. Only strings have an `S`; other types are not read. */
export type Attribute = { readonly S?: unknown } | undefined;

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, Attribute>>;

/** The item of a plant, ready to be written. */
export type PlantItem = Record<'principal' | 'sortKey' | 'name' | 'plantId', { S: string }> &
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
    principal: { S: principal },
    sortKey: { S: sortKeyOf(name, id) },
    name: { S: name },
    plantId: { S: id },
  };
  for (const { field } of optionalFields) {
    const text = plant[field];
    if (text !== undefined) item[field] = { S: text };
  }
  return item;
};

/**
 * Reads the plant of an item.
 * @returns undefined for a damaged item: its sort key lacks a name or an id or exceeds a limit, its `name` is
 * not the name in the sort key, or another field is not a string or exceeds its limit
 */
export const parseItem = (item: Item): StoredPlant | undefined => {
  const sortKey = textOf(item['sortKey']);
  const name = textOf(item['name']);
  if (!isSortKey(sortKey) || name === undefined || !hasName(sortKey, name)) return undefined;
  const plant: { name: string } & Partial<Record<OptionalField, string>> = { name };
  for (const { field, maxBytes } of optionalFields) {
    const attribute = item[field];
    if (attribute === undefined) continue;
    const text = textOf(attribute);
    if (text === undefined || !fits(text, maxBytes)) return undefined;
    plant[field] = text;
  }
  return { sortKey, plant };
};

const fieldNames = ['name', ...optionalFields.map(({ field }) => field)];

/** Attributes that a Query must return for `parseItem`. The `#` allows reserved words, such as `name`. */
export const projection = {
  ProjectionExpression: ['sortKey', ...fieldNames.map((name) => `#${name}`)].join(', '),
  ExpressionAttributeNames: Object.fromEntries(fieldNames.map((name) => [`#${name}`, name])),
} as const;

/** The text of a string attribute. */
export const textOf = (attribute: Attribute): string | undefined =>
  typeof attribute?.S === 'string' ? attribute.S : undefined;
