import { jsonResponse, maxResponseBytes, noLimit } from '../http/json-response.ts';
import type { HttpEvent, HttpResult, Respond } from '../http/operation.ts';
import { principalsOf } from '../http/principals.ts';
import { listPlants, type ListPage } from '../plant-store/list-plants.ts';
import { ServiceError } from '../shared/errors.ts';
import { encodeCursor, parseCursor } from './cursor.ts';
import { catalogue, maxLimit } from './errors.ts';

/** `GET /plants`: lists the caller's plants. The caller is checked first, then `limit`, then `cursor`. */
export const respond: Respond = async ({ store, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  // In queryStringParameters the gateway joins repeated parameters with commas.
  // URLSearchParams removes one leading question mark. Add one, so that the query keeps its own.
  const parameters = new URLSearchParams(`?${event.rawQueryString ?? ''}`);
  const limit = parseLimit(parameters.getAll('limit'));
  const after = parseCursor(parameters.getAll('cursor'));
  const query = { principals, limit, after, maxBytes: maxResponseBytes, tooLarge: catalogue.resultTooLarge };
  return pageResponse(event, await listPlants({ store, log }, query, signal), limit);
};

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

/**
 * Renders a list page, with a link to the next one (RFC 8288) relative to the request's URL.
 * @throws {ServiceError} 1003 when it is too large for one response (exact, unlike that of `listPlants`)
 */
export const pageResponse = (event: HttpEvent, { plants, next }: ListPage, limit: number): HttpResult => {
  const headers =
    next === undefined ? {} : { Link: `<?limit=${String(limit)}&cursor=${encodeCursor(next)}>; rel="next"` };
  return jsonResponse(event, plants, { tooLarge: catalogue.resultTooLarge, headers });
};
