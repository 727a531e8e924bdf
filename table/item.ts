import { attributesOf, fieldReader, type Item, textOf } from './attributes.ts';
import type { WithoutFields, WrittenAttribute } from './field-kinds.ts';
import { fields } from './fields.ts';
import { type ItemKey, itemKey, type KeyAttribute, plantIndex, primaryKey } from './keys.ts';
import type { IdentifiedPlant, Plant } from './plant.ts';
import type { Principal } from './principal.ts';
import { isKeyOf, type SortKey, sortKeyOf } from './sort-key.ts';

/** The item of a plant, ready to be written. */
export type PlantItem = ItemKey & Readonly<Record<string, WrittenAttribute>>;

/** A plant with its position in the order. */
export interface StoredPlant {
  readonly sortKey: SortKey;
  readonly plant: Plant;
}

/** The item that gives a principal access to a plant. */
export const itemOf = (principal: Principal, plant: IdentifiedPlant): PlantItem => ({
  ...itemKey(principal, sortKeyOf(plant)),
  ...attributesOf(fields, plant),
  [plantIndex.partitionKey]: { S: plant.id },
});

// A field cannot have the name of another attribute, or of the id in the JSON.
const fieldsIn = fieldReader(fields satisfies WithoutFields<KeyAttribute | 'id'>);

/**
 * Reads the plant of an item.
 * @returns undefined for a damaged item, in which a required field is missing, a field has another type or is
 * not valid, or the sort key is not valid or belongs to another plant
 */
export const parseItem = (item: Item): StoredPlant | undefined => {
  const plant = fieldsIn(item);
  const sortKey = textOf(item[primaryKey.sortKey]);
  return plant !== undefined && isKeyOf(sortKey, plant) ? { sortKey, plant } : undefined;
};
