import { hash } from 'node:crypto';
import type fc from 'fast-check';
import { fields } from '../../../table/fields.ts';
import { itemOf, type StoredPlant } from '../../../table/item.ts';
import { type ItemKey, itemKey } from '../../../table/keys.ts';
import type { Plant } from '../../../table/plant.ts';
import type { Principal } from '../../../table/principal.ts';
import { samplesOf } from '../../../table/sample-values.ts';
import { isSortKey, type SortKey, sortKeyOf as sortKeyText } from '../../../table/sort-key.ts';
import type { Item } from '../../contract/target.ts';
import { plantWith, valuesArbitrary } from './field-samples.ts';

/** How many bytes of a name are in an id: enough to order names, with 2 × 36 = 72 digits for the id. */
const maxNameBytes = 36;

const hex = (text: string | Uint8Array): string => Buffer.from(text).toString('hex');

/**
 * The id of a plant in tests: the start of the name in hexadecimal digits, so that ids are in the order of
 * names, then `id`, unless it is the name, and a hash of a name that is too long.
 * @param id by default the name, so that plants with other names have other ids
 */
export const idOf = (name: string, id = name): string => {
  const bytes = Buffer.from(name);
  const part = /^[\w.~-]*$/.test(id) ? id : hex(id);
  return [
    hex(bytes.subarray(0, maxNameBytes)),
    ...(id === name ? [] : [part]),
    ...(bytes.length > maxNameBytes ? [hash('sha256', name).slice(0, 16)] : []),
  ].join('-');
};

/** @throws {Error} when the id is not valid */
export const sortKeyOf = (name: string, id?: string): SortKey => {
  const key = sortKeyText({ id: idOf(name, id) });
  if (!isSortKey(key)) throw new Error(`${JSON.stringify(key)} is not a sort key.`);
  return key;
};

/** The primary key of a plant's item. */
export const key = (principal: Principal, name: string, id?: string): ItemKey =>
  itemKey(principal, sortKeyOf(name, id));

/** The item of a plant. Its tag need not be valid. */
export const item = (principal: Principal, name: string, id?: string, tag?: string): Item => ({
  ...itemOf(principal, plantWith({ id: idOf(name, id), name })),
  ...(tag !== undefined && { tag: { S: tag } }),
});

export const storedPlant = (name: string, id?: string, tag?: string): StoredPlant => ({
  sortKey: sortKeyOf(name, id),
  plant: plantWith({ id: idOf(name, id), name, ...(tag !== undefined && { tag }) }),
});

/** A plant with a valid value of every field. */
export const samplePlant = (): Plant => plantWith({ id: '1', ...samplesOf(Object.entries(fields)) });

/** Valid plants, with or without each field that is not required. */
export const plantArbitrary: fc.Arbitrary<Plant> = valuesArbitrary(fields).map((values) =>
  plantWith({ id: '1', ...values }),
);

/**
 * The UTF-16 units that a plant and its comma add to Lambda's JSON result, in which the body is a string with
 * escaped quotes.
 */
export const responseLength = (plant: object): number =>
  JSON.stringify(JSON.stringify(plant)).slice(1, -1).length + ','.length;
