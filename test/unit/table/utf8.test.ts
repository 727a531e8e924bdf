import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareUtf8 } from '../../../table/utf8.ts';
import { compareBytes } from '../../support/memory-plant-store.ts';

// Code points at which the length of UTF-8 changes, or its order differs from that of UTF-16.
const corners = Array.from(
  '\u0000 Aa\u007f\u0080é\u07ff\u0800水\ud7ff\ue000\ufeff\ufffd\uffff\u{10000}\u{1f600}\u{1f601}\u{10ffff}',
);

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...corners), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
  maxLength: 6,
});

describe('the order of plants', () => {
  it.each([
    ['an empty text before any other', '', 'a'],
    ['a text before its continuation', 'fern', 'fern tree'],
    ['upper case before lower case', 'Zinnia', 'aloe'],
    ['ASCII before other letters', 'zinnia', 'Äpfel'],
    ['a name before a longer one, whatever their ids', 'fern\u0000z', 'fern \u0000a'],
    ['U+D7FF before U+E000', '\ud7ff', '\ue000'],
    ['U+FFFF before U+1F600, unlike JavaScript', '\uffff', '\u{1f600}'],
    ['U+E000 before U+10000, unlike JavaScript', '\ue000', '\u{10000}'],
    ['two code points beyond U+FFFF that share their first UTF-16 unit', '\u{1f600}', '\u{1f601}'],
  ])('puts %s', (_, lesser, greater) => {
    expect(Math.sign(compareUtf8(lesser, greater))).toBe(-1);
    expect(Math.sign(compareUtf8(greater, lesser))).toBe(1);
  });

  it('compares a text as equal to itself', () => {
    expect(compareUtf8('a\u{1f600}', 'a\u{1f600}')).toBe(0);
  });

  it('is that of the UTF-8 bytes for each of these code points', () => {
    expect([...corners].reverse().sort(compareUtf8)).toEqual(corners);
  });

  it('is that of the UTF-8 bytes for any two texts', () => {
    fc.assert(
      fc.property(text, text, text, (shared, a, b) => {
        expect(Math.sign(compareUtf8(shared + a, shared + b))).toBe(compareBytes(shared + a, shared + b));
      }),
      { numRuns: 2000 },
    );
  });
});
