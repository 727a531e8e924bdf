import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCursor, parseCursor } from '../../../functions/list-plants/cursor.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { ServiceError } from '../../../functions/http/service-error.ts';
import { sortKeyOf } from '../../support/table/plants.ts';

const refusal = new ServiceError(catalogue.invalidCursor);

/** The cursor of any bytes, with a correct checksum. */
const cursorOf = (content: string | readonly number[]): string => {
  const bytes = Buffer.from(content);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([checksum, bytes]).toString('base64url');
};

const positions = fc
  .tuple(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).map((name) => name.replaceAll('\0', 'x')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  )
  .map(([name, id]) => sortKeyOf(name, id));

describe('the cursor', () => {
  // Property: the cursor of any position has only characters that a URL does not escape, and decodes to it.
  it('needs no escaping in a URL, and decodes to its position', () => {
    const longest = sortKeyOf('x'.repeat(900), 'y'.repeat(123));
    fc.assert(
      fc.property(positions, (position) => {
        expect(encodeCursor(position)).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(parseCursor([encodeCursor(position)])).toBe(position);
      }),
      { examples: [[longest], [sortKeyOf('\ufefffern')]] },
    );
  });

  it('may be missing', () => {
    expect(parseCursor([])).toBeUndefined();
  });

  const validCursor = encodeCursor(sortKeyOf('fern'));
  it.each([
    ['repeated', validCursor, encodeCursor(sortKeyOf('rose'))],
    ['empty', ''],
    ['longer than any sort key', cursorOf('x'.repeat(1025))],
    ['the cursor of bytes that are not UTF-8', cursorOf([0xff, ...Buffer.from(sortKeyOf('fern'))])],
  ])('is refused when it is %s', (_, ...texts) => {
    expect(() => parseCursor(texts)).toThrow(refusal);
  });

  // Property: if one character of any cursor is replaced by another character, the cursor is refused.
  it('is refused when any one character was changed', () => {
    const replacement = fc.constantFrom(...Array.from('AZaz09-_+/= %é'));
    fc.assert(
      fc.property(positions, fc.nat(), replacement, (position, seed, character) => {
        const cursor = encodeCursor(position);
        const index = seed % cursor.length;
        fc.pre(cursor[index] !== character);
        const altered = cursor.slice(0, index) + character + cursor.slice(index + 1);
        expect(() => parseCursor([altered])).toThrow(refusal);
      }),
      { numRuns: 500 },
    );
  });
});
