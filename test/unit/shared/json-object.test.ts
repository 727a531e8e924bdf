import { expect, it } from 'vitest';
import { parseJsonObject } from '../../../functions/shared/json-object.ts';

it('a JSON object is parsed from UTF-8', () => {
  expect(parseJsonObject(Buffer.from(' {"name":"Ökobaum 水"}\n'))).toEqual({ name: 'Ökobaum 水' });
});

it.each([
  ['not JSON', Buffer.from('<html>')],
  ['not UTF-8', Buffer.from('{"name":"\xd6"}', 'latin1')],
  ['an object after a byte order mark', Buffer.from('\ufeff{}')],
  ...['[{}]', 'null', '5'].map((text): [string, Buffer] => [text, Buffer.from(text)]),
])('a JSON object is not parsed from text that is %s', (_, bytes) => {
  expect(() => parseJsonObject(bytes)).toThrow(/JSON|data/);
});
