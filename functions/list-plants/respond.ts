import type { SortKey } from '../../table/sort-key.ts';
import { jsonResponse, maxResponseBytes, noLimit } from '../http/json-response.ts';
import type { Respond } from '../http/operation.ts';
import { principalsOf } from '../http/principals.ts';
import { listPlants } from '../plant-store/list-plants.ts';
import { ServiceError } from '../shared/errors.ts';
import { encodeCursor, parseCursor } from './cursor.ts';
import { catalogue, maxLimit } from './errors.ts';

/** `GET /plants`: lists the caller's plants. The caller is checked first, then `limit`, then `cursor`. */
export const respond: Respond = async ({ store, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  // In queryStringParameters the gateway joins repeated parameters with commas.
  const parameters = new URLSearchParams(event.rawQueryString);
  const limit = parseLimit(parameters.getAll('limit'));
  const after = parseCursor(parameters.getAll('cursor'));
  const tooLarge = catalogue.resultTooLarge;
  const query = { principals, limit, after, maxBytes: maxResponseBytes, tooLarge };
  const { plants, next } = await listPlants({ store, log }, query, signal);
  return jsonResponse(event, plants, { tooLarge, headers: next === undefined ? {} : linkTo(next, limit) });
};

/** The header with the next list page (RFC 8288), relative to the request's URL. */
const linkTo = (next: SortKey, limit: number): Readonly<Record<string, string>> => ({
  Link: `<?limit=${String(limit)}&cursor=${encodeCursor(next)}>; rel="next"`,
});

const wholeNumber = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Parses all occurrences of the `limit` parameter.
 * @returns the limit, at most `noLimit`, which is also the default
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
