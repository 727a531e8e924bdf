import { expect, it } from 'vitest';
import { isSame } from '../../cli/import-plan.ts';
import type { Item } from '../../table/attributes.ts';
import { itemOf } from '../../table/item.ts';
import { undeclaredName } from '../support/table/field-samples.ts';
import { samplePlant } from '../support/table/plants.ts';

const item = itemOf('user#alice', samplePlant());
const without = (removed: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => name !== removed));

it.each<[string, Item]>([
  ['the same attributes in another order', Object.fromEntries(Object.entries(item).toReversed())],
  ['an attribute that is no field', { ...item, [undeclaredName]: { S: 'x' } }],
])('a stored item is unchanged if it has %s', (_, stored) => {
  expect(isSame(stored, item)).toBe(true);
});

it.each<[string, Item]>([
  ['has another name', { ...itemOf('user#alice', { ...samplePlant(), name: 'Other' }) }],
  ['has another value of an optional field', { ...item, tag: { S: 'other' } }],
  ['lacks an optional field', without('tag')],
  ['has a number in place of a text', { ...item, tag: { N: '1' } }],
  ['is not in the index', without('plantId')],
  ['is in the index under another id', { ...item, plantId: { S: 'other' } }],
])('a stored item is changed if it %s', (_, stored) => {
  expect(isSame(stored, item)).toBe(false);
});

it('a plant without a stored item counts as changed', () => {
  expect(isSame(undefined, item)).toBe(false);
});
