import { noLimit } from '../http/json-response.ts';
import { ServiceError } from '../shared/errors.ts';
import { catalogue, maxLimit } from './errors.ts';

const wholeNumber = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Parses all occurrences of the `limit` parameter.
 * @returns `noLimit` when there is none, or a larger one
 * @throws {ServiceError} 1001 unless there is exactly one, a whole number from 0 to 2147483647
 */
export const parseLimit = (occurrences: readonly string[]): number => {
  const [text, ...repeated] = occurrences;
  if (text === undefined) return noLimit;
  if (repeated.length > 0 || !wholeNumber.test(text) || Number(text) > maxLimit) {
    throw new ServiceError(catalogue.invalidLimit);
  }
  return Math.min(Number(text), noLimit);
};
