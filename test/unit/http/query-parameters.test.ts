import { expect, it } from 'vitest';
import { queryParameters } from '../../../functions/http/query-parameters.ts';

it.each([
  ['no query string', undefined, []],
  ['a repeated parameter', 'a=1&a=2,3', ['1', '2,3']],
  ['escapes and plus signs', 'a=%26+b', ['& b']],
  ['a question mark before the name, which is part of the name', '?a=1', []],
])('reads %s', (_, rawQueryString, values) => {
  expect(queryParameters({ rawQueryString }).getAll('a')).toEqual(values);
});
