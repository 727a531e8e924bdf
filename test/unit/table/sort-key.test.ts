import { describe, expect, it } from 'vitest';
import { hasName, idIn, isSortKey, nameIn } from '../../../table/sort-key.ts';
import { sortKeyOf } from '../../support/stored-plants.ts';

describe('a sort key', () => {
  it.each([
    ['an id that contains the separator', 'fern\u00001\u00002'],
    ['a name of 900 bytes in 300 letters', `${'水'.repeat(300)}\u00001`],
    ['1,024 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(123)}`],
  ])('may be %s', (_, value) => {
    expect(isSortKey(value)).toBe(true);
  });

  it.each([
    ['missing', undefined],
    ['an array', ['fern\u00001']],
    ['a name without separator', 'fern'],
    ['a separator without name', '\u00001'],
    ['a separator without id', 'fern\u0000'],
    ['a name of 901 bytes', `${'x'.repeat(901)}\u00001`],
    ['a name of 903 bytes in 301 letters', `${'水'.repeat(301)}\u00001`],
    ['1,025 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(124)}`],
  ])('must not be %s', (_, value) => {
    expect(isSortKey(value)).toBe(false);
  });

  it.each(['fern', 'rose', 'fer', 'fern tree', '', 'fern\u00001'])(
    'of fern has that name, not %j',
    (name) => {
      expect(hasName(sortKeyOf('fern', '1\u00002'), name)).toBe(name === 'fern');
    },
  );

  it.each([
    ['fern\u00001\u00002', 'fern', '1\u00002'],
    ['fern', 'fern', ''],
  ])('%j is divided at the first separator, if it has one', (text, name, id) => {
    expect([nameIn(text), idIn(text)]).toEqual([name, id]);
  });
});
