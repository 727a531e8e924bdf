import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { ServiceError } from '../../../functions/shared/errors.ts';
import { noLimit } from '../../../functions/http/json-response.ts';
import { parseLimit } from '../../../functions/list-plants/respond.ts';

/** Lambda's maximum response size. */
const maxResponseBytes = 6 * 1024 * 1024;
const refusal = new ServiceError(catalogue.invalidLimit);

it('the limit is one whole number from 0 to 2147483647 without leading zeros, or missing', () => {
  expect(parseLimit([])).toBe(noLimit);
  for (const other of ['2', '1', '']) expect(() => parseLimit(['1', other])).toThrow(refusal);
  const isLimit = (text: string): boolean =>
    text === '0' || (/^[1-9][0-9]*$/.test(text) && !text.endsWith('\n') && BigInt(text) <= 2_147_483_647n);
  const others = '2147483647|2147483648||5\n| 5|٥|５|NaN|Infinity|0x10|-0'.split('|');
  const texts = fc.oneof(
    fc.constantFrom(...others),
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...Array.from('012 +-.e,x')), maxLength: 6 }),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      if (isLimit(text)) expect(parseLimit([text])).toBe(Math.min(Number(text), noLimit));
      else expect(() => parseLimit([text])).toThrow(refusal);
    }),
    { numRuns: 2000 },
  );
});

it('a limit of more plants than a response can hold counts as no limit', () => {
  // Lambda escapes the quotes of a body.
  const most = Math.floor(maxResponseBytes / String.raw`{\"name\":\"a\"},`.length);
  expect([parseLimit([String(most)]), noLimit]).toEqual([most, most + 1]);
  for (const more of [most + 1, most + 2, 2_147_483_647]) expect(parseLimit([String(more)])).toBe(noLimit);
});
