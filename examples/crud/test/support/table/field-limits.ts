import {
  type Field,
  type FieldValue,
  isValid,
  type NumberField,
  type TextField,
} from '../../../table/field-kinds.ts';
import { fields } from '../../../table/fields.ts';
import { sampleOf } from '../../../table/sample-values.ts';

/** The declared fields by name, so that a new field is in the tests by itself. */
export const declaredFields: readonly (readonly [name: string, field: Field])[] = Object.entries(fields);

/** The names of the fields that a plant can lack. */
export const optionalNames = declaredFields
  .filter(([, field]) => field.required === undefined)
  .map(([name]) => name);

/** The names of the fields that each plant has. */
export const requiredNames = declaredFields
  .filter(([, field]) => field.required === true)
  .map(([name]) => name);

/** A change that removes each field that a plant can lack. */
export const withoutOptional = Object.fromEntries(optionalNames.map((name) => [name, null]));

type Named<Value> = readonly (readonly [what: string, value: Value])[];

/** More bytes of a text than these, and a body with other fields could exceed its 64 KB. */
const mostBytesInBody = 50_000;

/** As long as a text can be, in a body: each of the first characters has three bytes. */
const longestText = (field: TextField): string => {
  const bytes = Math.min(field.maxBytes, mostBytesInBody);
  return (field.without === '竹' ? '水' : '竹').repeat(Math.floor(bytes / 3)) + padding(field, bytes % 3);
};

const padding = (field: TextField, length: number): string => String(sampleOf(field)).repeat(length);

/** The values of a field at its limits, with their names. */
export const valuesAtLimits = (field: Field): Named<FieldValue> => {
  switch (field.kind) {
    case 'text': {
      const more: Named<FieldValue> = [
        ['characters that need an escape', '\u{1f335}\u202e"\\'],
        ['no characters', ''],
        ['U+0000', 'a\u0000'],
      ];
      return [['the longest text', longestText(field)], ...more.filter(([, value]) => isValid(field, value))];
    }
    case 'number':
      return [
        ['the least number', (field.integer ? Math.ceil(field.min) : field.min) + 0],
        ['the greatest number', sampleOf(field)],
        ...(field.integer
          ? []
          : [['a number of 17 digits', (field.max - field.min) / 3 + field.min] as const]),
      ];
    case 'boolean':
      return [
        ['true', true],
        ['false', false],
      ];
    case 'time':
      return [
        ['a time in seconds', '2026-11-28T18:00:00Z'],
        ['a time in milliseconds', '2024-02-29T23:59:59.999Z'],
      ];
  }
};

/** Values that a field refuses, with their names. */
export const wrongValues = (field: Field): Named<unknown> => [
  ['an object', { toString: 1 }],
  ['an array', ['a']],
  ...(field.required === undefined ? [] : [['null', null] as const]),
  ...wrongValuesOfKind(field),
];

const wrongValuesOfKind = (field: Field): Named<unknown> => {
  switch (field.kind) {
    case 'text':
      return [
        ['a number', 5],
        ...(field.maxBytes > mostBytesInBody
          ? []
          : [['a text that is a byte too long', longestText(field) + padding(field, 1)] as const]),
        ...(field.notEmpty ? [['no characters', ''] as const] : []),
        ...(field.without === undefined ? [] : [['a forbidden character', `a${field.without}`] as const]),
      ];
    case 'number':
      return [
        ['a text', String(field.max)],
        ['a number below the least', field.min - stepFrom(field.min)],
        ['a number above the greatest', field.max + stepFrom(field.max)],
        ...(field.integer ? [['a part of a number', fractionIn(field)] as const] : []),
      ];
    case 'boolean':
      return [
        ['a number', 0],
        ['a text', 'true'],
      ];
    case 'time':
      return [
        ['a number', 1_764_352_800_000],
        ['a day that does not exist', '2026-02-30T00:00:00Z'],
        ['a time outside UTC', '2026-11-28T18:00:00+01:00'],
        ['a year of six digits', '+012026-01-01T00:00Z'],
        ['a year before the year 0', '-000001-01-01T00:00Z'],
      ];
  }
};

/** A step that changes a number, because JavaScript rounds a sum to about 16 digits. */
const stepFrom = (limit: number): number => Math.max(0.1, Math.abs(limit) / 2 ** 50);

/** A number that is not whole, near a limit if JavaScript has one there: it has none above 2⁵². */
const fractionIn = ({ min, max }: NumberField): number =>
  [min + 0.5, max - 0.5].find((each) => !Number.isInteger(each)) ?? 0.5;
