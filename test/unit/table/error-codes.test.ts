import { describe, expect, it } from 'vitest';
import { isThrottling } from '../../../table/error-codes.ts';

describe('an error name', () => {
  it.each([
    ['ThrottlingException', true],
    ['InternalServerError', false],
    ['Status429', false],
    ['ECONNRESET', false],
  ])('means throttling for %s: %s', (code, expected) => {
    expect(isThrottling(code)).toBe(expected);
  });
});
