import type fc from 'fast-check';
import { fields } from '../../../table/fields.ts';
import { itemOf, type StoredPlant } from '../../../table/item.ts';
import { type ItemKey, itemKey } from '../../../table/keys.ts';
import type { IdentifiedPlant, Plant } from '../../../table/plant.ts';
import type { Principal } from '../../../table/principal.ts';
import { samplesOf } from '../../../table/sample-values.ts';
import { isSortKey, type SortKey, sortKeyOf as sortKeyText } from '../../../table/sort-key.ts';
import type { Item } from '../../contract/target.ts';
import { plantWith, valuesArbitrary } from './field-samples.ts';

// By default, the id of a plant is its name, so that plants with other names have other ids.

/** @throws {Error} when the name and the id make no sort key */
export const sortKeyOf = (name: string, id = name): SortKey => {
  const key = sortKeyText({ id, name });
  if (!isSortKey(key)) throw new Error(`${JSON.stringify(key)} is not a sort key.`);
  return key;
};

/** The primary key of a plant's item. */
export const key = (principal: Principal, name: string, id = name): ItemKey =>
  itemKey(principal, sortKeyOf(name, id));

/** The item of a plant. Its tag need not be valid. */
export const item = (principal: Principal, name: string, id = name, tag?: string): Item => ({
  ...itemOf(principal, { ...plantWith({ name }), id }),
  ...(tag !== undefined && { tag: { S: tag } }),
});

export const storedPlant = (name: string, id = name, tag?: string): StoredPlant => ({
  sortKey: sortKeyOf(name, id),
  plant: plantWith({ name, ...(tag !== undefined && { tag }) }),
});

/** A plant with a valid value of every field. */
export const samplePlant = (): IdentifiedPlant => ({
  ...plantWith(samplesOf(Object.entries(fields))),
  id: '1',
});

/** Valid plants, with or without each field that is not required. */
export const plantArbitrary: fc.Arbitrary<Plant> = valuesArbitrary(fields).map(plantWith);

/**
 * The UTF-16 units that a plant and its comma add to Lambda's JSON result, in which the body is a string with
 * escaped quotes.
 */
export const responseLength = (plant: object): number =>
  JSON.stringify(JSON.stringify(plant)).slice(1, -1).length + ','.length;
