import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { compress, type ContentCoding } from '../http/content-coding.ts';
import { encodeCursor } from './cursor.ts';
import { catalogue, ServiceError } from '../shared/errors.ts';
import type { Page } from './list-plants.ts';
import { noStore } from '../http/no-store.ts';

const mebibyte = 1024 * 1024;
/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
export const maxResponseBytes = 6 * mebibyte;
/** Compressing and decompressing a smaller body takes longer than sending it. */
const minCompressedBytes = 8 * 1024;

/**
 * Renders a page as the function's result (payload format 2.0).
 * @throws {ServiceError} 1003 when the result would exceed Lambda's limit without compression, so that a list has one limit
 * for all clients
 */
export const pageResponse = (
  { plants, next }: Page,
  { limit, coding }: { readonly limit: number; readonly coding: ContentCoding },
): APIGatewayProxyStructuredResultV2 => {
  const headers = {
    'Content-Type': 'application/json',
    Vary: 'Accept-Encoding',
    ...noStore,
    ...(next !== undefined && {
      Link: `<?limit=${String(limit)}&cursor=${encodeCursor(next)}>; rel="next"`,
    }),
  };
  const response = { statusCode: 200, headers, body: JSON.stringify(plants) };
  if (isTooLarge(response)) throw new ServiceError(catalogue.resultTooLarge);
  const bytes = Buffer.byteLength(response.body);
  if (coding === 'identity' || bytes <= minCompressedBytes) return response;
  const compressed = compress(response.body, coding).toString('base64');
  if (compressed.length >= bytes) return response;
  return {
    statusCode: 200,
    headers: { ...headers, 'Content-Encoding': coding },
    body: compressed,
    isBase64Encoded: true,
  };
};

/** Lambda measures the result as JSON, where the quotes and backslashes of the body are escaped again. */
const isTooLarge = (response: { readonly body: string }): boolean =>
  // A UTF-16 unit of the body takes at most six bytes in JSON, so a smaller body needs no measuring.
  response.body.length > mebibyte && Buffer.byteLength(JSON.stringify(response)) > maxResponseBytes;
