import { expect, it } from 'vitest';
import { areValid, type Field, isValid, ruleOf } from '../../../table/field-kinds.ts';

const text = { kind: 'text', minBytes: 2, maxBytes: 6, without: '\u0000' } as const;
const number = { kind: 'number', min: -1, max: 100 } as const;
const whole = { ...number, integer: true } as const;
const boolean = { kind: 'boolean' } as const;
const time = { kind: 'time' } as const;

it.each<[Field, unknown]>([
  [text, 'ab'],
  [text, 'é'],
  [text, '水水'],
  [{ kind: 'text', maxBytes: 1 }, ''],
  [{ kind: 'text', maxBytes: 1 }, '\u0000'],
  [number, -1],
  [number, 100],
  [number, 0.5],
  [number, 0],
  [number, 1e-130],
  [whole, 100],
  [whole, 0],
  [boolean, true],
  [boolean, false],
  [time, '2026-11-28T18:00:00Z'],
  [time, '2028-02-29T23:59:59.1Z'],
  [time, '0000-01-01T00:00:00.999Z'],
])('%j may be %j', (field, value) => {
  expect(isValid(field, value)).toBe(true);
});

it.each<[Field, unknown]>([
  [text, 'a'],
  [text, 'abcdefg'],
  [text, '水水x'],
  [text, 'ab\u0000'],
  [text, 'ab\ud800'],
  [text, 12],
  [text, undefined],
  [text, null],
  [number, -1.001],
  [number, 100.001],
  [number, NaN],
  [number, Infinity],
  [{ ...number, max: Infinity }, NaN],
  [number, 9e-131],
  [number, -9e-131],
  [number, '5'],
  [number, true],
  [whole, 0.5],
  [boolean, 'true'],
  [boolean, 1],
  [boolean, null],
  [time, '2026-02-30T00:00:00Z'],
  [time, '2027-02-29T00:00:00Z'],
  [time, '2026-13-01T00:00:00Z'],
  [time, '2026-01-01T24:00:00Z'],
  [time, '2026-12-31T23:59:60Z'],
  [time, '2026-11-28T18:00:00'],
  [time, '2026-11-28T18:00:00+00:00'],
  [time, '2026-11-28T18:00Z'],
  [time, '2026-11-28 18:00:00Z'],
  [time, '2026-11-28T18:00:00z'],
  [time, '2026-11-28T18:00:00.1234Z'],
  [time, '2026-11-28T18:00:00.Z'],
  [time, '+012026-11-28T18:00:00Z'],
  [time, '+012026-11-28T18:00:00.000Z'],
  [time, '2026-11-28'],
  [time, 'Z'],
  [time, 1764352800000],
])('%j is never %j', (field, value) => {
  expect(isValid(field, value)).toBe(false);
});

it.each<[Field, string]>([
  [
    { kind: 'text', required: true, minBytes: 1, maxBytes: 900, without: '\u0000' },
    'a text of 1 to 900 bytes in UTF-8 without U+0000',
  ],
  [{ kind: 'text', maxBytes: 900 }, 'a text of at most 900 bytes in UTF-8'],
  [whole, 'a whole number from -1 to 100'],
  [number, 'a number from -1 to 100'],
  [boolean, 'true or false'],
  [time, 'a time in UTC such as 2026-11-28T18:00:00Z'],
])('the rule of %j is "%s"', (field, rule) => {
  expect(ruleOf(field)).toBe(rule);
});

const fields = { text: { ...text, required: true }, number } as const;
it.each([
  [true, { text: 'ab' }],
  [true, { text: 'ab', number: 5, other: null }],
  [true, { text: 'ab', number: undefined }],
  [false, {}],
  [false, { text: undefined, number: 5 }],
  [false, { text: 'a' }],
  [false, { text: 'ab', number: '5' }],
  [false, { text: 'ab', number: null }],
])('it is %s that %j has valid values of a required text and a number', (expected, values) => {
  expect(areValid(fields, values)).toBe(expected);
});
