import { expect, it } from 'vitest';
import { problemOf, valueOfCell } from '../../cli/field-value.ts';
import type { Field } from '../../table/field-kinds.ts';

const number = { kind: 'number', min: 0, max: 1000 } as const;
const boolean = { kind: 'boolean' } as const;
const time = { kind: 'time' } as const;
const text = { kind: 'text', minBytes: 2, maxBytes: 9, without: '\u0007' } as const;

it.each<[Field, string, unknown]>([
  [number, '12.5', 12.5],
  [number, '007', 7],
  [number, '1e-7', 1e-7],
  [number, '1E+2', 100],
  [boolean, 'true', true],
  [boolean, 'FALSE', false],
  [time, '2026-11-28T18:00:00Z', '2026-11-28T18:00:00Z'],
  [text, '12.5', '12.5'],
  [text, 'true', 'true'],
])('a cell of %j with the text %s has the value %j', (field, cell, value) => {
  expect(valueOfCell(field, cell)).toBe(value);
  expect(problemOf(field, value)).toBeUndefined();
});

const noNumber = 'is not a number from 0 to 1000';
const noTime = 'is not a time in UTC such as 2026-11-28T18:00:00Z';
it.each<[Field, string, string]>([
  [number, '12,5', noNumber],
  [number, '0x10', noNumber],
  [number, 'true', noNumber],
  [number, '-1', noNumber],
  [number, '1e400', noNumber],
  [{ ...number, integer: true }, '12.5', 'is not a whole number from 0 to 1000'],
  [boolean, 'yes', 'is not true or false'],
  [boolean, '1', 'is not true or false'],
  [time, '2026-02-30T18:00:00Z', noTime],
  [time, '28.11.2026', noTime],
  [text, 'x', 'is not a text of 2 to 9 bytes in UTF-8 without U+0007'],
  [text, 'x\u0007', 'has U+0007'],
  [text, 'x'.repeat(10), 'has more than 9 bytes of UTF-8'],
])('a cell of %j with the text %s %s', (field, cell, problem) => {
  expect(problemOf(field, valueOfCell(field, cell))).toBe(problem);
});

it.each([number, boolean, time, text])('a row may lack a %j, unless the field is required', (field) => {
  expect([problemOf(field, undefined), problemOf({ ...field, required: true }, undefined)]).toEqual([
    undefined,
    'is missing',
  ]);
});
