import fc from 'fast-check';
import {
  areValid,
  type Field,
  type Fields,
  type FieldValue,
  type FieldValues,
  isValid,
  type NumberField,
} from '../../../table/field-kinds.ts';
import { fields } from '../../../table/fields.ts';
import { requiredSamples, sampleOf } from '../../../table/sample-values.ts';

type Values = Readonly<Record<string, FieldValue>>;

const required = Object.entries(requiredSamples(fields));

/** A plant with the given values, and with a valid value of each other required field. */
export const plantWith = <Given extends Values>(given: Given): Given & FieldValues<typeof fields> => {
  const missing = required.filter(([name]) => !Object.hasOwn(given, name));
  const plant = { ...given, ...Object.fromEntries(missing) };
  if (!areValid(fields, plant)) throw new Error(`${JSON.stringify(given)} is not a plant.`);
  return plant;
};

/** A name that no field has. */
export const undeclaredName = `${Object.keys(fields).join('')}x`;

// Texts that a file, a terminal or a reader could change.
const parts = [' ', '\t', '\r', '\n', '\0', '\u001a', '\u009b', '\u0085', '\u2028', '\u202e', '\u00a0'];
const moreParts = ['\ufeff', '\uffff', '"', '""', ',', '\\', '\\u0041', 'é', '🌵', 'null', '#', 'user:'];
const part = fc.oneof(fc.constantFrom(...parts, ...moreParts), fc.string({ unit: 'binary', maxLength: 3 }));
/** A short text that is well-formed. */
export const shortTexts = fc.array(part, { maxLength: 5 }).map((each) => each.join(''));

/** All kinds of valid values of a field. */
const valuesOf = (field: Field): fc.Arbitrary<FieldValue> =>
  candidatesFor(field).map((value) => (isValid(field, value) ? value : sampleOf(field)));

/** Values of a field's kind, of which most are valid. */
const candidatesFor = (field: Field): fc.Arbitrary<FieldValue> => {
  switch (field.kind) {
    case 'text':
      return (
        fc
          // The longest text: é has two bytes.
          .oneof(shortTexts, fc.constant('é'.repeat(Math.floor(field.maxBytes / 2))))
          .map((text) => text.replaceAll(field.without ?? '', ''))
      );
    case 'number':
      // Zero is added, because JSON has no negative zero.
      return (field.integer === undefined ? doubles(field) : integers(field)).map((each) => each + 0);
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

const doubles = ({ min, max }: NumberField): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

const integers = ({ min, max }: NumberField): fc.Arbitrary<number> => {
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: greatest } = Number;
  const bounds = {
    min: BigInt(Math.max(Math.ceil(min), least)),
    max: BigInt(Math.min(Math.floor(max), greatest)),
  };
  return fc.bigInt(bounds).map(Number);
};

/** Valid values of fields, with or without a value of each field that is not required. */
export const valuesArbitrary = (declared: Fields): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(Object.entries(declared).map(([name, field]) => [name, valuesOf(field)])), {
    requiredKeys: Object.keys(requiredSamples(declared)),
  });
