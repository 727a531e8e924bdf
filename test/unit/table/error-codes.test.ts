import { describe, expect, it } from 'vitest';
import { isThrottling } from '../../../table/error-codes.ts';

describe('throttling', () => {
  it.each([
    ['ThrottlingException', true],
    ['InternalServerError', false],
    ['Status429', false],
    ['ECONNRESET', false],
  ])('is said by %s: %s', (code, expected) => {
    expect(isThrottling(code)).toBe(expected);
  });
});
