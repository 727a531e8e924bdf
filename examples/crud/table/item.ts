import { attributesOf, fieldReader, type Item, textOf, type WrittenAttribute } from './attributes.ts';
import { fields } from './fields.ts';
import { type ItemKey, itemKey, plantIndex, primaryKey } from './keys.ts';
import type { Plant } from './plant.ts';
import type { Principal } from './principal.ts';
import { isRequestKey, type RequestKey } from './request-record.ts';
import { isSortKey, type SortKey } from './sort-key.ts';
import { firstVersion } from './version.ts';

/** The attributes of an item beside its keys and fields. */
export const itemAttributes = {
  version: 'version',
  /** The partition of the record of the request that added the plant, if that request can be repeated. */
  request: 'request',
} as const;

/** The item of a plant, ready to be written. */
export type PlantItem = ItemKey & Readonly<Record<string, WrittenAttribute>>;

/** A plant with its position in the order. */
export interface StoredPlant {
  readonly sortKey: SortKey;
  readonly plant: Plant;
}

/** A plant with its version, from which callers make conditions. */
export interface VersionedPlant {
  readonly plant: Plant;
  readonly version: string;
  readonly request?: RequestKey;
}

/** The item that gives a principal a plant that was not changed yet. */
export const itemOf = (principal: Principal, plant: Plant): PlantItem => ({
  ...itemKey(principal, plant.id),
  ...attributesOf(fields, plant),
  [plantIndex.partitionKey]: { S: plant.id },
  [itemAttributes.version]: { S: firstVersion(plant) },
});

const fieldsIn = fieldReader(fields);

/**
 * Reads the plant of an item.
 * @returns undefined for a damaged item: a required field is missing, a field has another type or is not
 * valid, or the sort key is not an id
 */
export const parseItem = (item: Item): StoredPlant | undefined => {
  const values = fieldsIn(item);
  const sortKey = textOf(item[primaryKey.sortKey]);
  return values !== undefined && isSortKey(sortKey)
    ? { sortKey, plant: { id: sortKey, ...values } }
    : undefined;
};

/**
 * Reads the plant of an item with its version.
 * @returns undefined for a damaged item: as for `parseItem`, or without a version
 */
export const parseVersionedItem = (item: Item): VersionedPlant | undefined => {
  const plant = parseItem(item)?.plant;
  const [version, request] = [itemAttributes.version, itemAttributes.request].map((name) =>
    textOf(item[name]),
  );
  if (plant === undefined || version === undefined) return undefined;
  return { plant, version, ...(isRequestKey(request) && { request }) };
};

const names = Object.keys(fields);

/** Attributes that a Query must return for `parseItem`. The `#` allows reserved words, such as `name`. */
export const projection = {
  ProjectionExpression: [primaryKey.sortKey, ...names.map((name) => `#${name}`)].join(', '),
  ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
} as const;
