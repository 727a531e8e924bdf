import { expect, it } from 'vitest';
import { attributesOf, fieldReader } from '../../../table/attributes.ts';
import { boolean, number, text, time } from '../../../table/field-kinds.ts';

const fields = {
  text: text({ required: true, maxBytes: 900 }),
  number: number({ min: 0, max: 1000 }),
  boolean: boolean({}),
  time: time({}),
};
const read = fieldReader(fields);
const values = { text: 'a', number: 12.5, boolean: false, time: '2026-11-28T18:00:00.5Z' };
const attributes = {
  text: { S: 'a' },
  number: { N: '12.5' },
  boolean: { BOOL: false },
  time: { S: '2026-11-28T18:00:00.5Z' },
};

it('writes each field as the DynamoDB type of its kind, and no member that is not a field', () => {
  expect(attributesOf(fields, { ...values, id: '1' })).toEqual(attributes);
  expect(attributesOf(fields, { text: '', number: undefined })).toEqual({ text: { S: '' } });
});

it('reads what attributesOf writes, and no other attribute', () => {
  expect(read({ ...attributes, other: { S: 'b' } })).toEqual(values);
  expect(read({ text: { S: '' } })).toEqual({ text: '' });
  expect(read(attributesOf(fields, { text: 'a', number: 1e-7 }))).toEqual({ text: 'a', number: 1e-7 });
});

it('reads a required number that is 0, and nothing from an item without the number', () => {
  const readNumber = fieldReader({ number: { ...fields.number, required: true } });
  expect(readNumber({ number: { N: '0' } })).toEqual({ number: 0 });
  expect(readNumber({})).toBeUndefined();
});

it.each<[string, Readonly<Record<string, object | null | undefined>>]>([
  ['a required field missing', { text: undefined }],
  ['null for a required field', { text: null }],
  ['a number for a text', { text: { N: '5' } }],
  ['a text of 901 bytes', { text: { S: 'x'.repeat(901) } }],
  ['null for a field', { number: null }],
  ['a text for a number', { number: { S: '5' } }],
  ['no number', { number: { N: 'x' } }],
  ['null for a number', { number: { N: null } }],
  ['a number above the maximum', { number: { N: '1000.1' } }],
  ['a text for a boolean', { boolean: { S: 'true' } }],
  ['null for a boolean', { boolean: { NULL: true } }],
  ['a text that is no time', { time: { S: '2026-02-30T00:00:00Z' } }],
  ['a number for a time', { time: { N: '1764352800000' } }],
])('an item is damaged with %s', (_, damage) => {
  expect(read({ ...attributes, ...damage })).toBeUndefined();
});
