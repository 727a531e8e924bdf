import { expect, it } from 'vitest';
import { itemOf, parseItem } from '../../../table/item.ts';
import { idIn, isSortKey } from '../../../table/sort-key.ts';
import { plantWith } from '../../support/table/field-samples.ts';

it.each([
  ['an id that contains the separator', 'fern\u00001\u00002'],
  ['a name of 900 bytes in 300 letters', `${'水'.repeat(300)}\u00001`],
  ['1,024 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(123)}`],
])('a sort key may have %s', (_, value) => {
  expect(isSortKey(value)).toBe(true);
});

it.each([
  ['a name of 903 bytes in 301 letters', `${'水'.repeat(301)}\u00001`],
  ['1,025 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(124)}`],
])('a sort key is refused with %s', (_, value) => {
  expect(isSortKey(value)).toBe(false);
});

it('the id in a sort key is the text after the first separator, and empty without a separator', () => {
  expect([idIn('fern\u00001\u00002'), idIn('fern')]).toEqual(['1\u00002', '']);
});

it.each([
  ['no separator', 'fern', 'fern'],
  ['no id', 'fern\u0000', 'fern'],
  ['no name', '\u00001', ''],
  ['another name', 'fern\u00001', 'rose'],
  ['a longer name', 'fern\u00001', 'fer'],
  ['a name that ends at its second separator', 'fern\u00001\u00002', 'fern\u00001'],
])('an item is damaged if its sort key has %s', (_, sortKey, name) => {
  const item = { ...itemOf('user#alice', plantWith({ id: '1', name: 'x' })), name: { S: name } };
  expect(parseItem({ ...item, sortKey: { S: sortKey } })).toBeUndefined();
});
