import fc from 'fast-check';
import type { Field, Fields, FieldValue } from '../../../table/field-kinds.ts';

type Values = Readonly<Record<string, FieldValue>>;

/** A valid value of each of these fields. */
export const samplesOf = (entries: readonly (readonly [string, Field])[]): Values =>
  Object.fromEntries(entries.map(([name, field]) => [name, sampleOf(field)]));

/** A valid value of a field. */
export const sampleOf = (field: Field): FieldValue => {
  switch (field.kind) {
    case 'text':
      return 'x';
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
      return (
        fc
          // The longest text: é has two bytes.
          .oneof(shortTexts, fc.constant('é'.repeat(Math.floor(field.maxBytes / 2))))
          .map((text) => text.replaceAll(field.without ?? '', '').padEnd(field.notEmpty ? 1 : 0, 'x'))
      );
    case 'number':
      return field.integer === undefined
        ? fc
            .double({ min: field.min, max: field.max, noNaN: true })
            // DynamoDB stores no positive number below 1e-130.
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

/** A valid value of each required field. */
export const requiredSamples = (fields: Fields): Values =>
  samplesOf(Object.entries(fields).filter(([, field]) => field.required === true));

/** Valid values of fields, with or without a value of each field that is not required. */
export const valuesArbitrary = (fields: Fields): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valuesOf(field)])), {
    requiredKeys: Object.keys(requiredSamples(fields)),
  });
