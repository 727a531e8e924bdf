import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { parseLimit } from '../../../../functions/list-plants/http/limit.ts';

const refusal = new ServiceError(catalogue.invalidLimit);

describe('the limit parameter', () => {
  it('is optional', () => {
    expect(parseLimit([])).toBeUndefined();
  });

  it.each([
    ['0', 0],
    ['1', 1],
    ['10', 10],
    ['999999999', 999_999_999],
    ['2147483647', 2_147_483_647],
  ])('may be %s', (text, limit) => {
    expect(parseLimit([text])).toBe(limit);
  });

  it.each([
    ['empty', ''],
    ['a plus sign', '+5'],
    ['a minus sign', '-1'],
    ['minus zero', '-0'],
    ['a leading zero', '05'],
    ['two zeros', '00'],
    ['an exponent', '1e3'],
    ['a decimal point', '5.0'],
    ['a decimal point at the end', '5.'],
    ['a comma', '1,2'],
    ['a thousands separator', '1_000'],
    ['a leading space', ' 5'],
    ['a trailing space', '5 '],
    ['a trailing line break', '5\n'],
    ['only a space', ' '],
    ['hexadecimal digits', '0x10'],
    ['digits of another script', '٥'],
    ['full-width digits', '５'],
    ['a word', 'all'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['null', 'null'],
    ['above the largest int32', '2147483648'],
    ['eleven digits', '10000000000'],
    ['longer than any number', '9'.repeat(400)],
  ])('must not be %s', (_, text) => {
    expect(() => parseLimit([text])).toThrow(refusal);
  });

  it.each([
    ['different', ['1', '2']],
    ['the same', ['1', '1']],
    ['one of them empty', ['1', '']],
  ])('must not be repeated: %s', (_, occurrences) => {
    expect(() => parseLimit(occurrences)).toThrow(refusal);
  });

  it('is a whole number from 0 to 2147483647 without leading zeros, and nothing else', () => {
    const isLimit = (text: string): boolean => {
      const digits = Array.from(text);
      return (
        digits.length > 0 &&
        digits.every((digit) => '0123456789'.includes(digit)) &&
        (digits.length === 1 || digits[0] !== '0') &&
        BigInt(text) <= 2_147_483_647n
      );
    };
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...Array.from('012 +-.e,x')), maxLength: 6 }),
      fc.integer({ min: 2_147_483_600, max: 2_147_483_700 }).map(String),
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
});
