import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { parseLimit } from '../../../../functions/list-plants/http/limit.ts';

const refusal = new ServiceError(catalogue.invalidLimit);

it('the limit is one whole number from 0 to 2147483647 without leading zeros, or missing', () => {
  expect(parseLimit([])).toBeUndefined();
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
      if (isLimit(text)) expect(parseLimit([text])).toBe(Number(text));
      else expect(() => parseLimit([text])).toThrow(refusal);
    }),
    { numRuns: 2000 },
  );
});
