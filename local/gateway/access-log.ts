import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Exchange } from './gateway.ts';
import type { HttpResponse } from './response.ts';
import { printable, styled } from '../../terminal/style.ts';

/**
 * One line about a request for the person at the terminal: method, path, status, what the body holds, milliseconds,
 * and whether the gateway had kept the authorizer's answer. No query string: a cursor holds a plant's name.
 */
export const accessLogLine = ({ method, path, response, milliseconds, authorizer }: Exchange): string =>
  [
    `${method} ${printable(shortened(path))} ${styledStatus(response.statusCode)}`,
    ...contentOf(response),
    `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`,
    ...(authorizer === undefined ? [] : [`authorizer ${authorizer}`]),
  ].join(', ');

/** Shorter than a token's signature: one that was put into the path by mistake cannot be used by who reads on. */
const longestPath = 80;

const shortened = (path: string): string =>
  path.length <= longestPath ? path : `${path.slice(0, longestPath)}...`;

const styledStatus = (status: number): string =>
  styled(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status));

const errorBody = z.object({ error: z.int() });

/** How many plants, or which error. */
const contentOf = (response: HttpResponse): readonly string[] => {
  const body = json(response);
  if (Array.isArray(body)) return [body.length === 1 ? '1 plant' : `${String(body.length)} plants`];
  const { data } = errorBody.safeParse(body);
  return data === undefined ? [] : [`error ${String(data.error)}`];
};

const json = ({ headers, body }: HttpResponse): unknown => {
  try {
    return JSON.parse(decoded(headers['content-encoding'], body).toString());
  } catch {
    // Whatever a function under development may answer.
    return undefined;
  }
};

const decoded = (coding: HttpResponse['headers'][string] | undefined, body: Buffer): Buffer => {
  switch (coding) {
    case 'br':
      return brotliDecompressSync(body);
    case 'gzip':
      return gunzipSync(body);
    default:
      return body;
  }
};
