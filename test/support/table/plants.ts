import type fc from 'fast-check';
import { areValid, type FieldValue } from '../../../table/field-kinds.ts';
import { fields } from '../../../table/fields.ts';
import { itemOf, type StoredPlant } from '../../../table/item.ts';
import { type ItemKey, itemKey } from '../../../table/keys.ts';
import type { IdentifiedPlant, Plant } from '../../../table/plant.ts';
import type { Principal } from '../../../table/principal.ts';
import { isSortKey, type SortKey, sortKeyOf as sortKeyText } from '../../../table/sort-key.ts';
import type { Item } from '../../contract/target.ts';
import { requiredSamples, samplesOf, valuesArbitrary } from './field-samples.ts';

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
  ...itemOf(principal, { ...plantOf({ name }), id }),
  ...(tag !== undefined && { tag: { S: tag } }),
});

export const storedPlant = (name: string, id = name, tag?: string): StoredPlant => ({
  sortKey: sortKeyOf(name, id),
  plant: plantOf({ name, ...(tag !== undefined && { tag }) }),
});

/** A plant with a valid value of every field. */
export const samplePlant = (): IdentifiedPlant => ({
  ...plantOf(samplesOf(Object.entries(fields))),
  id: '1',
});

/** A plant with these values, and with valid values of the other required fields. */
const plantOf = (values: Readonly<Record<string, FieldValue>>): Plant => {
  const plant = { ...requiredSamples(fields), ...values };
  if (!areValid(fields, plant)) throw new Error(`${JSON.stringify(values)} is not a plant.`);
  return plant;
};

/** Valid plants, with or without each field that is not required. */
export const plantArbitrary: fc.Arbitrary<Plant> = valuesArbitrary(fields).map(plantOf);

/**
 * The UTF-16 units that a plant and its comma add to Lambda's JSON result, in which the body is a string with
 * escaped quotes.
 */
export const responseLength = (plant: object): number =>
  JSON.stringify(JSON.stringify(plant)).slice(1, -1).length + ','.length;
