import { expect, it } from 'vitest';
import { boolean } from '../../../table/field-kinds.ts';
import { projectionOf } from '../../../table/projection.ts';

it.each([
  ['a plain name', ['tag']],
  ['a reserved word', ['name']],
  ['a hyphen, a dot and a space', ['light-level', 'a.b', 'a b']],
  ['letters outside ASCII', ['Größe', '名前']],
])('a Query asks for the sort key and for fields whose names have %s', (_, names) => {
  const { ProjectionExpression: expression, ExpressionAttributeNames: attributes } = projectionOf(
    Object.fromEntries(names.map((name) => [name, boolean({})])),
  );
  const [sortKey, ...placeholders] = expression.split(', ');
  expect(sortKey).toBe('sortKey');
  expect(placeholders.map((placeholder) => attributes[placeholder])).toEqual(names);
  // AWS: "Expression attribute names (aliases) in DynamoDB", the characters of a placeholder.
  expect(placeholders.filter((placeholder) => !/^#\w+$/.test(placeholder))).toEqual([]);
});
