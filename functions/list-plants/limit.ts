import { ServiceError } from '../http/service-error.ts';
import { catalogue, maxLimit } from './errors.ts';

const wholeNumber = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Parses all occurrences of the `limit` parameter.
 * @returns undefined without a `limit` parameter
 * @throws {ServiceError} 1001 unless there is exactly one, a whole number from 0 to 2147483647
 */
export const parseLimit = (occurrences: readonly string[]): number | undefined => {
  const [text, ...repeated] = occurrences;
  if (text === undefined) return undefined;
  if (repeated.length > 0 || !wholeNumber.test(text) || Number(text) > maxLimit) {
    throw new ServiceError(catalogue.invalidLimit);
  }
  return Number(text);
};
