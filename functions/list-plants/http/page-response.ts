import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { compress, type ContentCoding } from './content-coding.ts';
import { encodeCursor } from './cursor.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { Page } from '../list-plants.ts';
import { noStore } from './no-store.ts';

const mebibyte = 1024 * 1024;
/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
const maxResponseBytes = 6 * mebibyte;
/** More plain JSON than any compression can reduce to Lambda's limit. */
const maxCompressibleBytes = 24 * mebibyte;
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
  const text = JSON.stringify(plants);
  const headers = {
    'Content-Type': 'application/json',
    Vary: 'Accept-Encoding',
    ...noStore,
    ...(next !== undefined && {
      Link: `<?limit=${String(limit)}&cursor=${encodeCursor(next)}>; rel="next"`,
    }),
  };
  const response =
    coding === 'identity' || Buffer.byteLength(text) <= minCompressedBytes
      ? { statusCode: 200, headers, body: text }
      : {
          statusCode: 200,
          headers: { ...headers, 'Content-Encoding': coding },
          body: (await compress(text, coding)).toString('base64'),
          isBase64Encoded: true,
        };
  if (isTooLarge(response)) throw new ServiceError(catalogue.resultTooLarge);
  return response;
};

/** Lambda measures the result as JSON, where the quotes and backslashes of a plain body are escaped again. */
const isTooLarge = (response: { readonly body: string }): boolean =>
  // A UTF-16 unit of the body takes at most six bytes in JSON, so a smaller body needs no measuring.
  response.body.length > mebibyte && Buffer.byteLength(JSON.stringify(response)) > maxResponseBytes;
