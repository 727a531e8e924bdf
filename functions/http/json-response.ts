import { type CatalogueEntry, ServiceError } from './service-error.ts';
import { chooseCoding, compress } from './content-coding.ts';
import type { HttpEvent, HttpResult } from './payload-format.ts';

const mebibyte = 1024 * 1024;
/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
export const maxResponseBytes = 6 * mebibyte;
/** A smaller body is not compressed, because its compression takes longer than sending it. */
const minBytesToCompress = 8 * 1024;

/**
 * Forbids caches to store a response (RFC 9111 section 5.2.2), because it depends on the caller, whose access
 * can be revoked at any time.
 */
export const noStore = { 'Cache-Control': 'private, no-store' } as const;

/** The parts of a response other than its body. */
interface ResponseSettings {
  /** Default: 200. */
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error if the response exceeds Lambda's limit. Omit it for a body that is always small. */
  readonly tooLarge?: CatalogueEntry;
}

/**
 * Renders a value as the response to an event, compressed if an accepted coding makes it smaller. Lambda's
 * limit of 6 MB is applied before compression, so that it is the same for all clients.
 * @throws {ServiceError} `tooLarge` if the response exceeds Lambda's limit
 */
export const jsonResponse = (
  { headers: requestHeaders }: HttpEvent,
  value: unknown,
  { statusCode = 200, tooLarge, headers: operationHeaders }: ResponseSettings = {},
): HttpResult => {
  const headers = {
    'Content-Type': 'application/json',
    Vary: 'Accept-Encoding',
    ...noStore,
    ...operationHeaders,
  };
  const response = { statusCode, headers, body: JSON.stringify(value) };
  if (tooLarge !== undefined && isTooLarge(response)) throw new ServiceError(tooLarge);
  const bytes = Buffer.byteLength(response.body);
  if (bytes <= minBytesToCompress) return response;
  const coding = chooseCoding(requestHeaders?.['accept-encoding'] ?? '');
  if (coding === 'identity') return response;
  const compressed = compress(response.body, coding).toString('base64');
  if (compressed.length >= bytes) return response;
  return {
    ...response,
    headers: { ...headers, 'Content-Encoding': coding },
    body: compressed,
    isBase64Encoded: true,
  };
};

/** Lambda measures the result as JSON, in which the quotes and backslashes of the body are escaped again. */
const isTooLarge = (response: { readonly body: string }): boolean =>
  // A body of up to 1 MB always fits, because JSON has no raw control characters, so each of its UTF-16 units
  // takes at most three bytes when the body is escaped again (3 MB), and the headers are small.
  response.body.length > mebibyte && Buffer.byteLength(JSON.stringify(response)) > maxResponseBytes;
