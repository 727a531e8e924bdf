import { expect, it } from 'vitest';
import { isSame } from '../../cli/import-plan.ts';
import type { Item } from '../../table/attributes.ts';

const item = { name: { S: 'Aloe' }, height: { N: '1e-7' }, indoor: { BOOL: true } } as const;

it.each<[boolean, string, Item | undefined]>([
  [
    true,
    'the same attributes in another order',
    { indoor: item.indoor, height: item.height, name: item.name },
  ],
  [true, 'the same number in other digits', { ...item, height: { N: '0.0000001' } }],
  [false, 'another number', { ...item, height: { N: '1e-8' } }],
  [false, 'another boolean', { ...item, indoor: { BOOL: false } }],
  [false, 'another text', { ...item, name: { S: 'Aloes' } }],
  [false, 'a text for a number', { ...item, height: { S: '1e-7' } }],
  [false, 'one attribute less', { name: item.name, height: item.height }],
  [false, 'one attribute more', { ...item, note: { S: 'x' } }],
  [false, 'no item', undefined],
])('it is %s that the import takes %s as an unchanged item', (expected, _, stored) => {
  expect(isSame(stored, item)).toBe(expected);
});
