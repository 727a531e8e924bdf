import { etagOf } from './etag.ts';
import { jsonResponse, noStore } from './json-response.ts';
import type { HttpResult } from './payload-format.ts';

/** What a response with one resource has besides the resource. */
interface ResourceSettings {
  readonly version: string;
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Renders one resource with its ETag. The response is never compressed, because a strong ETag would have to
 * differ by content coding (RFC 9110 section 8.8.3.3).
 */
export const resourceResponse = (
  resource: object,
  { version, statusCode = 200, headers }: ResourceSettings,
): HttpResult => {
  const eventWithoutCodings = {};
  return jsonResponse(eventWithoutCodings, resource, {
    statusCode,
    headers: { ...headers, ETag: etagOf(version) },
  });
};

/** The response to a caller who has the current version of a resource (RFC 9110 section 15.4.5). */
export const notModified = (version: string): HttpResult => ({
  statusCode: 304,
  headers: { ...noStore, ETag: etagOf(version) },
});
