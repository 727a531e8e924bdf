import { expect, expectTypeOf, it } from 'vitest';
import {
  areValid,
  boolean,
  type Field,
  isValid,
  number,
  ruleOf,
  text,
  time,
  type WithoutFields,
} from '../../../table/field-kinds.ts';

const shortText = text({ notEmpty: true, maxBytes: 6, without: '\u0000' });
const percentage = number({ min: -1, max: 100 });
const whole = number({ min: -1, max: 100, integer: true });
const large = number({ min: 0, max: 1e20, integer: true });
const isIndoor = boolean({});
const planted = time({});

it.each<[Field, unknown]>([
  [shortText, 'ab'],
  [shortText, 'é'],
  [shortText, '水水'],
  [text({ maxBytes: 1 }), ''],
  [text({ maxBytes: 1 }), '\u0000'],
  [percentage, -1],
  [percentage, 100],
  [percentage, 0.5],
  [percentage, 0],
  [percentage, 1e-130],
  [whole, 100],
  [whole, 0],
  [large, Number.MAX_SAFE_INTEGER],
  [isIndoor, true],
  [isIndoor, false],
  [planted, '2026-11-28T18:00:00Z'],
  [planted, '2028-02-29T23:59:59.1Z'],
  [planted, '0000-01-01T00:00:00.999Z'],
])('the field %j accepts %j', (field, value) => {
  expect(isValid(field, value)).toBe(true);
});

it.each<[Field, unknown]>([
  [shortText, ''],
  [shortText, 'abcdefg'],
  [shortText, '水水x'],
  [shortText, 'ab\u0000'],
  [shortText, 'ab\ud800'],
  [shortText, 12],
  [shortText, undefined],
  [shortText, null],
  [percentage, -1.001],
  [percentage, 100.001],
  [percentage, NaN],
  [percentage, Infinity],
  [number({ min: -1, max: Infinity }), NaN],
  [percentage, 9e-131],
  [percentage, -9e-131],
  [percentage, '5'],
  [percentage, true],
  [whole, 0.5],
  [large, 2 ** 53],
  [isIndoor, 'true'],
  [isIndoor, 1],
  [isIndoor, null],
  [planted, '2026-02-30T00:00:00Z'],
  [planted, '2027-02-29T00:00:00Z'],
  [planted, '2026-13-01T00:00:00Z'],
  [planted, '2026-01-01T24:00:00Z'],
  [planted, '2026-12-31T23:59:60Z'],
  [planted, '2026-11-28T18:00:00'],
  [planted, '2026-11-28T18:00:00+00:00'],
  [planted, '2026-11-28T18:00Z'],
  [planted, '2026-11-28 18:00:00Z'],
  [planted, '2026-11-28T18:00:00z'],
  [planted, '2026-11-28T18:00:00.1234Z'],
  [planted, '2026-11-28T18:00:00.Z'],
  [planted, '+012026-11-28T18:00:00Z'],
  [planted, '+012026-11-28T18:00:00.000Z'],
  [planted, '2026-11-28'],
  [planted, 'Z'],
  [planted, 1764352800000],
])('the field %j does not accept %j', (field, value) => {
  expect(isValid(field, value)).toBe(false);
});

it.each<[Field, string]>([
  [
    text({ required: true, notEmpty: true, maxBytes: 900, without: '\u0000' }),
    'a text of 1 to 900 bytes in UTF-8 without U+0000',
  ],
  [text({ maxBytes: 900 }), 'a text of at most 900 bytes in UTF-8'],
  [whole, 'a whole number from -1 to 100'],
  [percentage, 'a number from -1 to 100'],
  [isIndoor, 'true or false'],
  [planted, 'a time in UTC such as 2026-11-28T18:00:00Z'],
])('the rule of %j is "%s"', (field, rule) => {
  expect(ruleOf(field)).toBe(rule);
});

const fields = { text: text({ required: true, notEmpty: true, maxBytes: 6 }), number: percentage };
it.each([
  ['the required field', { text: 'ab' }],
  ['both fields and another member', { text: 'ab', number: 5, other: null }],
  ['undefined for the optional field', { text: 'ab', number: undefined }],
])('an object with %s has valid values', (_, values) => {
  expect(areValid(fields, values)).toBe(true);
});

it.each([
  ['no member', {}],
  ['undefined for the required field', { text: undefined, number: 5 }],
  ['a text that is not valid', { text: '' }],
  ['a text for the number', { text: 'ab', number: '5' }],
  ['null for the number', { text: 'ab', number: null }],
])('an object with %s has no valid values', (_, values) => {
  expect(areValid(fields, values)).toBe(false);
});

it('the type of a declaration refuses the names of other attributes', () => {
  expectTypeOf<{ name: Field; height: Field }>().toExtend<WithoutFields<'id' | 'principal'>>();
  expectTypeOf<{ name: Field; principal: Field }>().not.toExtend<WithoutFields<'id' | 'principal'>>();
});

it('the type of a declaration refuses the names of members of every object', () => {
  type Refusing = WithoutFields<'id'>;
  expectTypeOf<{ constructor: Field }>().not.toExtend<Refusing>();
  expectTypeOf<{ toString: Field }>().not.toExtend<Refusing>();
  expectTypeOf<{ valueOf: Field }>().not.toExtend<Refusing>();
  expectTypeOf<{ hasOwnProperty: Field }>().not.toExtend<Refusing>();
  expectTypeOf<{ isPrototypeOf: Field }>().not.toExtend<Refusing>();
  expectTypeOf<{ __proto__: Field }>().not.toExtend<Refusing>();
  expectTypeOf<{ __defineGetter__: Field }>().not.toExtend<Refusing>();
  expectTypeOf<{ '': Field }>().not.toExtend<Refusing>();
});
