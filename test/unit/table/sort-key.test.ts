import { describe, expect, it } from 'vitest';
import { hasName, isSortKey } from '../../../table/sort-key.ts';
import { sortKeyOf } from '../../support/stored-plants.ts';

describe('a sort key', () => {
  it.each([
    ['a name and an id', 'fern\u00001'],
    ['an id that contains the separator', 'fern\u00001\u00002'],
    ['a name of 900 bytes', `${'x'.repeat(900)}\u00001`],
    ['a name of 300 letters of three bytes', `${'水'.repeat(300)}\u00001`],
    ['a name of 225 letters of four bytes', `${'\u{1f33f}'.repeat(225)}\u00001`],
    ['1,024 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(123)}`],
  ])('may be %s', (_, value) => {
    expect(isSortKey(value)).toBe(true);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 5],
    ['an array', ['fern\u00001']],
    ['empty', ''],
    ['a name without separator', 'fern'],
    ['a separator without name', '\u00001'],
    ['a separator without id', 'fern\u0000'],
    ['only a separator', '\u0000'],
    ['a name of 901 bytes', `${'x'.repeat(901)}\u00001`],
    ['a name of 301 letters of three bytes', `${'水'.repeat(301)}\u00001`],
    ['a name of 226 letters of four bytes', `${'\u{1f33f}'.repeat(226)}\u00001`],
    ['1,025 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(124)}`],
  ])('must not be %s', (_, value) => {
    expect(isSortKey(value)).toBe(false);
  });
});

describe('the name of a sort key', () => {
  it('is the text before the first separator', () => {
    expect(hasName(sortKeyOf('fern'), 'fern')).toBe(true);
  });

  it.each([
    ['another name', 'rose'],
    ['the start of the name', 'fer'],
    ['the name with a suffix', 'fern tree'],
    ['an empty name', ''],
    ['the name and the id', 'fern\u00001'],
  ])('is not %s', (_, name) => {
    expect(hasName(sortKeyOf('fern', '1\u00002'), name)).toBe(false);
  });
});
