import { expect, it } from 'vitest';
import { itemOf, parseItem } from '../../../table/item.ts';
import { isSortKey, keyProblem, sortKeyOf } from '../../../table/sort-key.ts';
import { plantWith } from '../../support/table/field-samples.ts';

it.each(['019aac03-b5e4-7a1b-9c3d-5e7f90a1b2c3', 'a01', 'a b', '水', '...', '.a', 'x'.repeat(1024)])(
  'accepts %s as an id and as its sort key',
  (id) => {
    expect(sortKeyOf({ id })).toBe(id);
    expect(isSortKey(id)).toBe(true);
    expect(keyProblem({ id })).toBeUndefined();
  },
);

it.each([
  ['', 'is empty'],
  ['.', 'is . or .., so it cannot be in a path'],
  ['..', 'is . or .., so it cannot be in a path'],
  ['a/b', 'has a slash, so it cannot be in a path'],
  ['/', 'has a slash, so it cannot be in a path'],
  ['x'.repeat(1025), 'has more than 1024 bytes of UTF-8'],
  ['é'.repeat(513), 'has more than 1024 bytes of UTF-8'],
])('refuses %j as an id, because it %s', (id, problem) => {
  expect(isSortKey(id)).toBe(false);
  expect(keyProblem({ id })).toBe(`id ${problem}`);
});

it('an item is damaged if its sort key is not an id', () => {
  const item = itemOf('user#alice', plantWith({ id: '1', name: 'fern' }));
  expect(parseItem({ ...item, sortKey: { S: 'fern/1' } })).toBeUndefined();
});
