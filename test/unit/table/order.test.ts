import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareUtf8 } from '../../../table/order.ts';

/** Texts without lone surrogates, with characters on both sides of the surrogates. */
const text = fc.string({ unit: fc.constantFrom('\u0000', 'a', 'b', 'é', '水', '\uffff', '🌱') });

it('compares texts by their UTF-8 bytes, and equal texts as equal', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(compareUtf8(a, a)).toBe(0);
    }),
  );
});
