import { describe, expect, it } from 'vitest';
import { hasName, idIn, isSortKey } from '../../../table/sort-key.ts';
import { sortKeyOf } from '../../support/table/stored-plants.ts';

describe('a sort key', () => {
  it.each([
    ['an id that contains the separator', 'fern\u00001\u00002', true],
    ['a name of 900 bytes in 300 letters', `${'水'.repeat(300)}\u00001`, true],
    ['a name of 903 bytes in 301 letters', `${'水'.repeat(301)}\u00001`, false],
    ['1,024 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(123)}`, true],
    ['1,025 bytes', `${'x'.repeat(900)}\u0000${'y'.repeat(124)}`, false],
    ['another type', ['fern\u00001'], false],
  ])('may have a name of 900 bytes, and 1,024 bytes in all: %s', (_, value, isValid) => {
    expect(isSortKey(value)).toBe(isValid);
  });

  it.each(['fern', 'rose', 'fer', 'fern tree', '', 'fern\u00001'])(
    'of fern has that name, not %j',
    (name) => {
      expect(hasName(sortKeyOf('fern', '1\u00002'), name)).toBe(name === 'fern');
    },
  );

  it('is divided at the first separator, if it has one', () => {
    expect([idIn('fern\u00001\u00002'), idIn('fern')]).toEqual(['1\u00002', '']);
  });
});
