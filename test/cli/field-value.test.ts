import { expect, it } from 'vitest';
import { problemOf, valueOfCell } from '../../cli/field-value.ts';
import { boolean, type Field, number, text, time } from '../../table/field-kinds.ts';

const height = number({ min: 0, max: 1000 });
const isIndoor = boolean({});
const planted = time({});
const tag = text({ notEmpty: true, maxBytes: 9, without: '\u0007' });

it.each<[Field, string, unknown]>([
  [height, '12.5', 12.5],
  [height, '007', 7],
  [height, '1e-7', 1e-7],
  [height, '1E+2', 100],
  [isIndoor, 'true', true],
  [isIndoor, 'FALSE', false],
  [planted, '2026-11-28T18:00:00Z', '2026-11-28T18:00:00Z'],
  [tag, '12.5', '12.5'],
  [tag, 'true', 'true'],
])('reads a cell of %j with the text %s as %j', (field, cell, value) => {
  expect(valueOfCell(field, cell)).toBe(value);
  expect(problemOf(field, value)).toBeUndefined();
});

const notNumber = 'is not a number from 0 to 1000';
const notTime = 'is not a time in UTC such as 2026-11-28T18:00:00Z';
it.each<[Field, string, string]>([
  [height, '12,5', notNumber],
  [height, '0x10', notNumber],
  [height, 'true', notNumber],
  [height, '-1', notNumber],
  [height, '1e400', notNumber],
  [number({ min: 0, max: 1000, integer: true }), '12.5', 'is not a whole number from 0 to 1000'],
  [isIndoor, 'yes', 'is not true or false'],
  [isIndoor, '1', 'is not true or false'],
  [planted, '2026-02-30T18:00:00Z', notTime],
  [planted, '28.11.2026', notTime],
  [tag, '', 'is not a text of 1 to 9 bytes in UTF-8 without U+0007'],
  [tag, 'x\u0007', 'has U+0007'],
  [tag, 'x'.repeat(10), 'has more than 9 bytes of UTF-8'],
])('refuses a cell of %j with the text %s, because it %s', (field, cell, problem) => {
  expect(problemOf(field, valueOfCell(field, cell))).toBe(problem);
});

it.each([height, isIndoor, planted, tag])(
  'a row can omit a value of %j unless the field is required',
  (field) => {
    expect([problemOf(field, undefined), problemOf({ ...field, required: true }, undefined)]).toEqual([
      undefined,
      'is missing',
    ]);
  },
);
