import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { count } from '../terminal/count.ts';
import { printable, styled } from '../terminal/style.ts';
import type { Exchange } from './gateway/gateway.ts';
import type { HttpResponse } from './gateway/response.ts';

/**
 * The line about a request: method, path, status, content of the body, milliseconds, and whether the
 * authorizer's result was cached. Without the query string, because a cursor holds a plant's name.
 */
export const requestLine = ({ request: { method, path }, response, milliseconds }: Exchange): string =>
  [
    `${method} ${printable(path)} ${styledStatus(response.statusCode)}`,
    contentOf(response),
    `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`,
    response.authorizer && `authorizer ${response.authorizer}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const styledStatus = (status: number): string =>
  styled(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status));

/** The number of plants, or the error value. */
const contentSchema = z.union([
  z.array(z.unknown()).transform(({ length }) => count(length, 'plant')),
  z.object({ error: z.int() }).transform(({ error }) => `error ${String(error)}`),
]);

const contentOf = ({ headers, body }: HttpResponse): string | undefined => {
  const coding = headers['content-encoding'];
  try {
    const text = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
    return contentSchema.parse(JSON.parse(text.toString()));
  } catch {
    // A function under development may return anything.
    return undefined;
  }
};
