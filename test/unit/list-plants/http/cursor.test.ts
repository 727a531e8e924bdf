import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCursor, parseCursor } from '../../../../functions/list-plants/http/cursor.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { sortKeyOf } from '../../../support/stored-plants.ts';

const refusal = new ServiceError(catalogue.invalidCursor);
const base64Url = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');

const cursorOfBytes = (bytes: Buffer): string => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([checksum, bytes]).toString('base64url');
};
const cursorOf = (text: string): string => cursorOfBytes(Buffer.from(text));

const positions = fc
  .tuple(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).map((name) => name.replaceAll('\0', 'x')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  )
  .map(([name, id]) => sortKeyOf(name, id));

describe('the cursor parameter', () => {
  it('is optional', () => {
    expect(parseCursor([])).toBeUndefined();
  });

  it.each([
    ['a plain name', sortKeyOf('fern')],
    ['a name beyond ASCII', sortKeyOf('Ökobaum 水 \u{1f33f}')],
    ['a name with a leading byte order mark', sortKeyOf('\ufefffern')],
    ['the longest name', sortKeyOf('x'.repeat(900), 'y'.repeat(123))],
    ['an id that contains the separator', sortKeyOf('fern', 'a\u0000b')],
  ])('decodes to its position: %s', (_, position) => {
    expect(parseCursor([encodeCursor(position)])).toBe(position);
  });

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(positions, (position) => {
        expect(encodeCursor(position)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it('decodes to any position', () => {
    fc.assert(
      fc.property(positions, (position) => {
        expect(parseCursor([encodeCursor(position)])).toBe(position);
      }),
      { numRuns: 500 },
    );
  });

  const good = encodeCursor(sortKeyOf('fern'));

  it.each([
    ['empty', ['']],
    ['repeated', [good, encodeCursor(sortKeyOf('rose'))]],
    ['repeated with the same value', [good, good]],
    ['repeated with an empty one', [good, '']],
  ])('is refused when it is %s', (_, occurrences) => {
    expect(() => parseCursor(occurrences)).toThrow(refusal);
  });

  it.each([
    ['a word', 'next'],
    ['an unencoded sort key', 'fern\u00001'],
    ['a sort key without a checksum', Buffer.from('fern\u00001').toString('base64url')],
    ['only a checksum', cursorOf('')],
    ['fewer bytes than a checksum', 'AAA'],
    ['a key without separator', cursorOf('fern')],
    ['a key without name', cursorOf('\u00001')],
    ['a key without id', cursorOf('fern\u0000')],
    ['a name of 901 bytes', cursorOf(`${'x'.repeat(901)}\u00001`)],
    ['a name of 451 letters of two bytes', cursorOf(`${'é'.repeat(451)}\u00001`)],
    ['a key of 1,025 bytes', cursorOf(`x\u0000${'y'.repeat(1023)}`)],
    ['bytes that are not UTF-8', cursorOfBytes(Buffer.from([0x61, 0xff, 0x00, 0x31]))],
    ['a surrogate in UTF-8', cursorOfBytes(Buffer.from([0xed, 0xa0, 0x80, 0x00, 0x31]))],
  ])('is refused when it is not a position: %s', (_, text) => {
    expect(() => parseCursor([text])).toThrow(refusal);
  });

  it.each([
    ['padding', `${good}=`],
    ['a leading space', ` ${good}`],
    ['a trailing space', `${good} `],
    ['a line break', `${good}\n`],
    ['a character that is not base64url', `${good}!`],
    ['one more character', `${good}A`],
    ['one character less', good.slice(0, -1)],
    ['the characters of plain base64', cursorOf('¿¾ÿ~?>\u00001').replaceAll('-', '+').replaceAll('_', '/')],
    ['upper case', good.toUpperCase()],
  ])('is refused when it was altered: %s', (_, text) => {
    expect(() => parseCursor([text])).toThrow(refusal);
  });

  it('is refused when any character was changed', () => {
    const replacement = fc.constantFrom(...base64Url, '+', '/', '=', ' ', '%', 'é');
    fc.assert(
      fc.property(positions, fc.nat(), replacement, (position, seed, character) => {
        const cursor = encodeCursor(position);
        const index = seed % cursor.length;
        fc.pre(cursor[index] !== character);
        const altered = cursor.slice(0, index) + character + cursor.slice(index + 1);
        expect(() => parseCursor([altered])).toThrow(refusal);
      }),
      { numRuns: 1000 },
    );
  });

  it('is refused with every other character at every index of one cursor', () => {
    const cursor = encodeCursor(sortKeyOf('Ökobaum 水', 'e9b1'));
    const accepted = Array.from(cursor).flatMap((original, index) =>
      base64Url
        .filter((character) => character !== original)
        .map((character) => cursor.slice(0, index) + character + cursor.slice(index + 1))
        .filter((altered) => {
          try {
            parseCursor([altered]);
            return true;
          } catch {
            return false;
          }
        }),
    );
    expect(accepted).toEqual([]);
  });
});
