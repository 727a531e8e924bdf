import { type CatalogueEntry, ServiceError } from './service-error.ts';
import { chooseCoding, compress } from './content-coding.ts';
import type { HttpEvent, HttpResult } from './payload-format.ts';

const mebibyte = 1024 * 1024;
/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
export const maxResponseBytes = 6 * mebibyte;
/** Compressing and decompressing a smaller body takes longer than sending it. */
const minBytesToCompress = 8 * 1024;

/** A response depends on the caller, whose access can be revoked at any time (RFC 9111 section 5.2.2). */
export const noStore = { 'Cache-Control': 'private, no-store' } as const;

/** What a response has besides its body. */
interface ResponseSettings {
  /** Default: 200. */
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error when the body exceeds Lambda's limit; none for a body that cannot. */
  readonly tooLarge?: CatalogueEntry;
}

/**
 * Renders a value as the response to an event, compressed if an accepted coding makes it smaller. The limit
 * is that of the body without compression, the same for all clients.
 * @throws {ServiceError} `tooLarge`
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

/** Lambda measures the result as JSON, where the quotes and backslashes of the body are escaped again. */
const isTooLarge = (response: { readonly body: string }): boolean =>
  // A UTF-16 unit of the body takes at most six bytes in JSON, so a smaller body needs no measuring.
  response.body.length > mebibyte && Buffer.byteLength(JSON.stringify(response)) > maxResponseBytes;
