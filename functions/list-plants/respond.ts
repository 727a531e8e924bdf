import { maxResponseBytes } from '../http/json-response.ts';
import type { Respond } from '../http/operation.ts';
import { principalsOf } from '../http/principals.ts';
import { parseCursor } from './cursor.ts';
import { parseLimit } from './limit.ts';
import { listPlants } from './list-plants.ts';
import { pageResponse } from './page-response.ts';

/** `GET /plants`: lists the plants that the caller has access to. An error is 1004, 1001 or 1002, in this order, or later. */
export const respond: Respond = async ({ store, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  // In queryStringParameters the gateway joins repeated parameters with commas.
  // URLSearchParams removes one leading question mark, which could belong to a parameter.
  const parameters = new URLSearchParams(`?${event.rawQueryString ?? ''}`);
  const limit = parseLimit(parameters.getAll('limit'));
  const after = parseCursor(parameters.getAll('cursor'));
  const query = { principals, limit, after, maxBytes: maxResponseBytes };
  return pageResponse(event, await listPlants({ store, log }, query, signal), limit);
};
