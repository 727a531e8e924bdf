import { catalogue, ServiceError } from '../errors.ts';

const wholeNumber = /^(?:0|[1-9]\d{0,9})$/;
const maxInt32 = 2_147_483_647;

/**
 * Reads the `limit` parameter from all its occurrences.
 * @returns undefined when it was not given
 * @throws {ServiceError} 1001 unless it was given once, as a whole number from 0 to 2147483647
 */
export const parseLimit = (occurrences: readonly string[]): number | undefined => {
  const [text, ...repeated] = occurrences;
  if (text === undefined) return undefined;
  if (repeated.length > 0 || !wholeNumber.test(text) || Number(text) > maxInt32) {
    throw new ServiceError(catalogue.invalidLimit);
  }
  return Number(text);
};
