import { attributesOf, fieldReader, type Item, textOf } from './attributes.ts';
import type { WithoutFields, WrittenAttribute } from './field-kinds.ts';
import { fields } from './fields.ts';
import { type ItemKey, itemKey, type KeyAttribute, plantIndex, primaryKey } from './keys.ts';
import type { Plant } from './plant.ts';
import type { Principal } from './principal.ts';
import { type expiryAttribute, isRequestKey, type RequestKey } from './request-record.ts';
import { isSortKey, type SortKey } from './sort-key.ts';
import { firstVersion } from './version.ts';

/** The attributes of an item beside its keys and fields. */
export const itemAttributes = {
  version: 'version',
  /** The partition key of the record of the request that added the plant, if it had an `Idempotency-Key`. */
  request: 'request',
  /** The attempt of that request that wrote the item. */
  attempt: 'attempt',
} as const;

/** The item of a plant, ready to be written. */
export type PlantItem = ItemKey & Readonly<Record<string, WrittenAttribute>>;

/** A plant with its position in the order. */
export interface StoredPlant {
  readonly sortKey: SortKey;
  readonly plant: Plant;
}

/** The request with an `Idempotency-Key` that added a plant. */
export interface PlantOrigin {
  readonly request: RequestKey;
  /** An id that is made anew each time that the request is sent. */
  readonly attempt: string;
}

/** A plant with its version, which clients get as ETag, and the key of the request that added the plant. */
export interface VersionedPlant {
  readonly plant: Plant;
  readonly version: string;
  /** Undefined if the plant was imported, or added without a key. */
  readonly origin?: PlantOrigin;
}

/** The item of a principal's plant as it is added, before any change. */
export const itemOf = (principal: Principal, plant: Plant): PlantItem => ({
  ...itemKey(principal, plant.id),
  ...attributesOf(fields, plant),
  [plantIndex.partitionKey]: { S: plant.id },
  [itemAttributes.version]: { S: firstVersion(principal, plant) },
});

/** The names of attributes other than fields. By `expiryAttribute`, DynamoDB would delete plants. */
type OtherAttribute = KeyAttribute | keyof typeof itemAttributes | typeof expiryAttribute;

// A field cannot have the name of another attribute, or of the id in the JSON.
const fieldsIn = fieldReader(fields satisfies WithoutFields<OtherAttribute | 'id'>);

/**
 * Reads the plant of an item.
 * @returns undefined for a damaged item, in which a required field is missing, a field has another type or is
 * not valid, or the sort key is not an id
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
 * @returns undefined for an item without a version, and for an item that `parseItem` takes as damaged
 */
export const parseVersionedItem = (item: Item): VersionedPlant | undefined => {
  const plant = parseItem(item)?.plant;
  const version = textOf(item[itemAttributes.version]);
  if (plant === undefined || version === undefined) return undefined;
  const request = textOf(item[itemAttributes.request]);
  const attempt = textOf(item[itemAttributes.attempt]);
  if (!isRequestKey(request) || attempt === undefined) return { plant, version };
  return { plant, version, origin: { request, attempt } };
};
