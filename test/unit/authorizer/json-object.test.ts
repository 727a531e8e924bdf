import { describe, expect, it } from 'vitest';
import { parseJsonObject } from '../../../functions/authorizer/json-object.ts';

describe('a JSON object', () => {
  it('is read from UTF-8', () => {
    expect(parseJsonObject(Buffer.from(' {"name":"Ökobaum 水"}\n'))).toEqual({ name: 'Ökobaum 水' });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no JSON', Buffer.from('<html>')],
    ['half of one', Buffer.from('{"name":')],
    ['two of them', Buffer.from('{}{}')],
    ['a list', Buffer.from('[{}]')],
    ['null', Buffer.from('null')],
    ['a text', Buffer.from('"{}"')],
    ['a number', Buffer.from('5')],
    ['not UTF-8', Buffer.from('{"name":"\xd6"}', 'latin1')],
    ['behind a byte order mark', Buffer.from('\ufeff{}')],
  ])('is not read from text that is %s', (_, bytes) => {
    expect(() => parseJsonObject(bytes)).toThrow();
  });
});
