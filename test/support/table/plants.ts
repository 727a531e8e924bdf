import fc from 'fast-check';
import { areValid, type Field, type FieldValue } from '../../../table/field-kinds.ts';
import { fields } from '../../../table/fields.ts';
import { itemOf, type StoredPlant } from '../../../table/item.ts';
import { type ItemKey, itemKey } from '../../../table/keys.ts';
import type { IdentifiedPlant, Plant } from '../../../table/plant.ts';
import type { Principal } from '../../../table/principal.ts';
import { isSortKey, type SortKey, sortKeyOf as sortKeyText } from '../../../table/sort-key.ts';
import type { Item } from '../../contract/target.ts';

// By default, the id of a plant is its name, so that plants with other names have other ids.

/** @throws {Error} when the key exceeds a limit of the table */
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

/** A plant with these values, and with valid ones of the other required fields. */
const plantOf = (values: Readonly<Record<string, FieldValue>>): Plant => {
  const required = Object.entries<Field>(fields).filter(([, field]) => field.required);
  return checked({ ...samplesOf(required), ...values });
};

const checked = (values: Readonly<Record<string, unknown>>): Plant => {
  if (!areValid(fields, values)) throw new Error(`${JSON.stringify(values)} is not a plant.`);
  return values;
};

const samplesOf = (entries: readonly (readonly [string, Field])[]): Readonly<Record<string, FieldValue>> =>
  Object.fromEntries(entries.map(([name, field]) => [name, sampleOf(field)]));

/** A valid value of a field. */
export const sampleOf = (field: Field): FieldValue => {
  switch (field.kind) {
    case 'text':
      return 'x'.repeat(field.minBytes ?? 1);
    case 'number':
      return field.max;
    case 'boolean':
      return true;
    case 'time':
      return '2026-11-28T18:00:00.5Z';
  }
};

// Texts that a file, a terminal or a reader could change.
const parts = [' ', '\t', '\r', '\n', '\0', '\u001a', '\u009b', '\u0085', '\u2028', '\u202e', '\u00a0'];
const moreParts = ['\ufeff', '\uffff', '"', '""', ',', '\\', '\\u0041', 'é', '🌵', 'null', '#', 'user:'];
const part = fc.oneof(fc.constantFrom(...parts, ...moreParts), fc.string({ unit: 'binary', maxLength: 3 }));
/** A short text that is well-formed. */
export const shortTexts = fc.array(part, { maxLength: 5 }).map((each) => each.join(''));

/** All kinds of valid values of a field. */
const valuesOf = (field: Field): fc.Arbitrary<FieldValue> => {
  switch (field.kind) {
    case 'text':
      return fc
        .oneof(shortTexts, fc.constant('é'.repeat(field.maxBytes >> 1)))
        .map((text) => text.replaceAll(field.without ?? '', '').padEnd(field.minBytes ?? 0, 'x'));
    case 'number':
      return field.integer === undefined
        ? fc
            .double({ min: field.min, max: field.max, noNaN: true })
            .map((each) => (Math.abs(each) < 1e-130 ? 0 : each))
        : fc.integer({ min: field.min, max: field.max });
    case 'boolean':
      return fc.boolean();
    case 'time':
      return fc
        .date({
          min: new Date('0000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59Z'),
          noInvalidDate: true,
        })
        .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace(/\.\d+/, '')));
  }
};

/** Valid plants, with or without each field that is not required. */
export const plantArbitrary: fc.Arbitrary<Plant> = fc
  .record(Object.fromEntries(Object.entries<Field>(fields).map(([name, field]) => [name, valuesOf(field)])), {
    requiredKeys: Object.entries<Field>(fields).flatMap(([name, field]) => (field.required ? [name] : [])),
  })
  .map(checked);

/** The UTF-16 units of a plant and a comma in a response, in which Lambda escapes the quotes of the body. */
export const responseLength = (plant: object): number =>
  JSON.stringify(JSON.stringify(plant)).slice(1, -1).length + ','.length;
