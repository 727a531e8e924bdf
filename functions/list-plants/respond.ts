import type { SortKey } from '../../table/sort-key.ts';
import type { Respond } from '../http/build-handler.ts';
import { jsonResponse, maxResponseBytes } from '../http/json-response.ts';
import { lastSegment } from '../http/last-segment.ts';
import type { HttpEvent } from '../http/payload-format.ts';
import { principalsOf } from '../http/principals.ts';
import { queryParameters } from '../http/query-parameters.ts';
import type { Dependencies } from '../plant-store/dependencies.ts';
import { readListPage } from '../plant-store/list-page.ts';
import { encodeCursor, parseCursor } from './cursor.ts';
import { catalogue, throwServiceError } from './errors.ts';
import { parseLimit } from './limit.ts';

/** `GET /plants`: lists the caller's plants. The caller is checked first, then `limit`, then `cursor`. */
export const respond: Respond<Dependencies> = async ({ store, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  const parameters = queryParameters(event);
  const limit = parseLimit(parameters.getAll('limit'));
  const after = parseCursor(parameters.getAll('cursor'));
  const query = { principals, limit, after, maxBytes: maxResponseBytes };
  const { plants, next } = await readListPage({ store, log }, query, signal).catch(throwServiceError);
  const headers = limit === undefined || next === undefined ? {} : linkTo(next, limit, event);
  return jsonResponse(event, plants, { tooLarge: catalogue.resultTooLarge, headers });
};

/** The `Link` header of the next list page (RFC 8288). */
const linkTo = (next: SortKey, limit: number, event: HttpEvent): Readonly<Record<string, string>> => ({
  Link: `<${lastSegment(event)}?limit=${String(limit)}&cursor=${encodeCursor(next)}>; rel="next"`,
});
