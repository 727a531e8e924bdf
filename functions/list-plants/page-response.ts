import { jsonResponse } from '../http/json-response.ts';
import type { HttpEvent, HttpResult } from '../http/operation.ts';
import { encodeCursor } from './cursor.ts';
import { catalogue } from './errors.ts';
import type { Page } from './list-plants.ts';

/**
 * Renders a page, with a link to the next one (RFC 8288) relative to the request's URL.
 * @throws {ServiceError} 1003 when it is too large for one response
 */
export const pageResponse = (event: HttpEvent, { plants, next }: Page, limit: number): HttpResult =>
  jsonResponse(event, plants, {
    tooLarge: catalogue.resultTooLarge,
    ...(next !== undefined && {
      headers: { Link: `<?limit=${String(limit)}&cursor=${encodeCursor(next)}>; rel="next"` },
    }),
  });
