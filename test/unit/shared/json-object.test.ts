import { describe, expect, it } from 'vitest';
import { parseJsonObject } from '../../../functions/shared/json-object.ts';

describe('a JSON object', () => {
  it('is parsed from UTF-8', () => {
    expect(parseJsonObject(Buffer.from(' {"name":"Ökobaum 水"}\n'))).toEqual({ name: 'Ökobaum 水' });
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['not JSON', Buffer.from('<html>')],
    ['half an object', Buffer.from('{"name":')],
    ['two objects', Buffer.from('{}{}')],
    ['not UTF-8', Buffer.from('{"name":"\xd6"}', 'latin1')],
    ['an object after a byte order mark', Buffer.from('\ufeff{}')],
  ])('is not parsed from text that is %s', (_, bytes) => {
    expect(() => parseJsonObject(bytes)).toThrow();
  });

  it.each(['[{}]', 'null', '"{}"', '5', 'true'])('is not another JSON value: %s', (text) => {
    expect(() => parseJsonObject(Buffer.from(text))).toThrow('The text is not a JSON object.');
  });
});
