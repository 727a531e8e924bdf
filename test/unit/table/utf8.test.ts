import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareUtf8 } from '../../../table/utf8.ts';
import { compareBytes } from '../../support/table/memory-plant-store.ts';

// Code points at which the length of UTF-8 changes, or its order differs from that of UTF-16.
const corners = Array.from(
  '\u0000 Aa\u007f\u0080é\u07ff\u0800水\ud7ff\ue000\ufeff\ufffd\uffff\u{10000}\u{1f600}\u{1f601}\u{10ffff}',
);
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...corners), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
  maxLength: 6,
});

it('the order of plants is that of their UTF-8 bytes', () => {
  expect([...corners].reverse().sort(compareUtf8)).toEqual(corners);
  fc.assert(
    fc.property(text, text, text, (shared, a, b) => {
      expect(Math.sign(compareUtf8(shared + a, shared + b))).toBe(compareBytes(shared + a, shared + b));
    }),
    { numRuns: 2000 },
  );
});
