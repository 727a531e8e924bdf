import { expect, it } from 'vitest';
import { itemOf, parseItem } from '../../../table/item.ts';
import { isSortKey, keyProblem, sortKeyOf } from '../../../table/sort-key.ts';

it.each(['019aac03-b5e4-7a1b-9c3d-5e7f90a1b2c3', 'a01', 'a b', '水', '...', '.a', 'x'.repeat(1024)])(
  'accepts %s as an id and as its sort key',
  (id) => {
    expect(sortKeyOf({ id })).toBe(id);
    expect(isSortKey(id)).toBe(true);
    expect(keyProblem({ id })).toBeUndefined();
  },
);

it.each(['', '.', '..', 'a/b', '/', 'x'.repeat(1025)])('refuses %j as an id', (id) => {
  expect(isSortKey(id)).toBe(false);
  expect(keyProblem({ id })).toBe('id has a slash, or is . or .., so it cannot be in a path');
});

it('an item is damaged if its sort key is not an id', () => {
  const item = itemOf('user#alice', { id: '1', name: 'fern' });
  expect(parseItem({ ...item, sortKey: { S: 'fern/1' } })).toBeUndefined();
});
