import { expect, it } from 'vitest';
import { boolean } from '../../../table/field-kinds.ts';
import { placeholdersOf } from '../../../table/projection.ts';

it.each([
  ['a plain name', ['tag']],
  ['a reserved word', ['name']],
  ['a hyphen, a dot and a space', ['light-level', 'a.b', 'a b']],
  ['letters outside ASCII', ['Größe', '名前']],
])('a Query can name fields that have %s', (_, names) => {
  const placeholders = placeholdersOf(Object.fromEntries(names.map((name) => [name, boolean({})])));
  expect(Object.values(placeholders)).toEqual(names);
  // AWS: "Expression attribute names (aliases) in DynamoDB", the characters of a placeholder.
  for (const placeholder of Object.keys(placeholders)) expect(placeholder).toMatch(/^#\w+$/);
});
