import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { compress, type ContentCoding } from './content-coding.ts';
import { encodeCursor } from './cursor.ts';
import { tooLarge } from '../errors.ts';
import type { Page } from '../list-plants.ts';
import { noStore } from './no-store.ts';

const mebibyte = 1024 * 1024;
/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
const maxResponseBytes = 6 * mebibyte;
/** More plain JSON than any compression can reduce to Lambda's limit. */
const maxCompressibleBytes = 24 * mebibyte;
/** Base64 takes four bytes for three. */
const maxCompressedBytes = (maxResponseBytes / 4) * 3;
/** Compressing and decompressing a smaller body takes longer than sending it. */
const minCompressedBytes = 8 * 1024;

/** How many bytes of plain JSON can fit into one response with this content coding. */
export const maxPlainBytes = (coding: ContentCoding): number =>
  coding === 'identity' ? maxResponseBytes : maxCompressibleBytes;

/**
 * Renders a page as the function's result (payload format 2.0).
 * @throws {ServiceError} 1003 when the result would exceed Lambda's limit
 */
export const pageResponse = async (
  { plants, next }: Page,
  { limit, coding }: { readonly limit?: number | undefined; readonly coding: ContentCoding },
): Promise<APIGatewayProxyStructuredResultV2> => {
  const headers = {
    'Content-Type': 'application/json',
    Vary: 'Accept-Encoding',
    ...noStore,
    ...(next !== undefined && {
      Link: `<?limit=${String(limit)}&cursor=${encodeCursor(next)}>; rel="next"`,
    }),
  };
  const bytes = plants.reduce((sum, piece) => sum + piece.length, 0);
  if (coding === 'identity' || bytes <= minCompressedBytes) {
    const response = { statusCode: 200, headers, body: Buffer.concat(plants).toString() };
    if (isTooLarge(response)) throw tooLarge(limit);
    return response;
  }
  const compressed = await compress(plants, coding, maxCompressedBytes);
  if (compressed === undefined) throw tooLarge(limit);
  const response = {
    statusCode: 200,
    headers: { ...headers, 'Content-Encoding': coding },
    body: compressed.toString('base64'),
    isBase64Encoded: true,
  };
  if (isTooLarge(response)) throw tooLarge(limit);
  return response;
};

/** Lambda measures the result as JSON, where the quotes and backslashes of a plain body are escaped again. */
const isTooLarge = (response: { readonly body: string }): boolean =>
  // A UTF-16 unit of the body takes at most six bytes in JSON, so a smaller body needs no measuring.
  response.body.length > mebibyte && Buffer.byteLength(JSON.stringify(response)) > maxResponseBytes;
