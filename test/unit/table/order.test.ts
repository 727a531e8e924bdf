import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareUtf8 } from '../../../table/order.ts';

// Property: any two texts have the order of their UTF-8 bytes.

/** Texts without lone surrogates, whose characters are below and above the surrogates. */
const text = fc.string({ unit: fc.constantFrom('\u0000', 'a', 'b', 'é', '水', '\uffff', '🌱') });

it('compares texts by their UTF-8 bytes, and equal texts as equal', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(compareUtf8(a, a)).toBe(0);
    }),
  );
});
