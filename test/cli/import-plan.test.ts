import { expect, it } from 'vitest';
import { isSame } from '../../cli/import-plan.ts';
import type { Item } from '../../table/attributes.ts';

const item = { name: { S: 'Aloe' }, height: { N: '1e-7' }, indoor: { BOOL: true } } as const;

it.each<[string, Item]>([
  ['the same attributes in another order', { indoor: item.indoor, height: item.height, name: item.name }],
  ['the same number in other digits', { ...item, height: { N: '0.0000001' } }],
])('a stored item is unchanged if it has %s', (_, stored) => {
  expect(isSame(stored, item)).toBe(true);
});

it.each<[string, Item]>([
  ['has another number', { ...item, height: { N: '1e-8' } }],
  ['has another boolean', { ...item, indoor: { BOOL: false } }],
  ['has another text', { ...item, name: { S: 'Aloes' } }],
  ['has a text in place of a number', { ...item, height: { S: '1e-7' } }],
  ['lacks an attribute', { name: item.name, height: item.height }],
  ['has a further attribute', { ...item, note: { S: 'x' } }],
])('a stored item is changed if it %s', (_, stored) => {
  expect(isSame(stored, item)).toBe(false);
});

it('a plant without a stored item counts as changed', () => {
  expect(isSame(undefined, item)).toBe(false);
});
