import { expect, it } from 'vitest';
import { columnNamed } from '../../cli/column-name.ts';

const columns = ['name', 'Größe', 'tag', 'Tag'];

it.each([
  ['name', 'name'],
  [' NAME\t', 'name'],
  ['Größe', 'Größe'],
  ['GRÖSSE', 'Größe'],
  ['Gro\u0308ße', 'Größe'],
  ['tag', 'tag'],
  ['Tag', 'Tag'],
])('the cell %j names the column %s', (text, column) => {
  expect(columnNamed(columns, text)).toBe(column);
});

it.each(['', 'names', 'Grosse', 'TAG'])('the cell %j names no column', (text) => {
  expect(columnNamed(columns, text)).toBeUndefined();
});
