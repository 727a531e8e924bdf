import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Exchange } from './gateway/gateway.ts';
import type { HttpResponse } from './gateway/response.ts';
import { printable, styled } from '../terminal/style.ts';

/**
 * A line about a request for the person at the terminal: method, path, status, content of the body, milliseconds, and
 * whether the authorizer's response was cached. The query string is left out, because a cursor holds a plant name.
 */
export const requestLine = ({
  request: { method, path },
  response,
  milliseconds,
  authorizer,
}: Exchange): string =>
  [
    `${method} ${printable(shortened(path))} ${styledStatus(response.statusCode)}`,
    ...contentOf(response),
    `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`,
    ...(authorizer === undefined ? [] : [`authorizer ${authorizer}`]),
  ].join(', ');

/** Shorter than a token's signature, so that a token in the path by mistake is not logged whole. */
const longestPath = 80;

const shortened = (path: string): string =>
  path.length <= longestPath ? path : `${path.slice(0, longestPath)}...`;

const styledStatus = (status: number): string =>
  styled(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status));

const errorBody = z.object({ error: z.int() });

/** The number of plants or the error value. */
const contentOf = (response: HttpResponse): readonly string[] => {
  const body = json(response);
  if (Array.isArray(body)) return [body.length === 1 ? '1 plant' : `${String(body.length)} plants`];
  const { data } = errorBody.safeParse(body);
  return data === undefined ? [] : [`error ${String(data.error)}`];
};

const json = ({ headers, body }: HttpResponse): unknown => {
  const coding = headers['content-encoding'];
  try {
    const text = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body;
    return JSON.parse(text.toString());
  } catch {
    // A function under development may return anything.
    return undefined;
  }
};
