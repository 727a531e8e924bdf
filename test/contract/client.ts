import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expectDescribed } from './description.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body's JSON. */
  readonly body: unknown;
  /** How many bytes of body were sent. */
  readonly bytes: number;
}

/** Request headers; an array sends a header more than once. */
export type Headers = Readonly<Record<string, string | string[]>>;

/**
 * Sends a request exactly as written (`fetch` would tidy it up) and holds the answer against the interface description.
 * @param target path and query string, as they go over the wire
 */
export const send = async (
  baseUrl: string,
  target: string,
  headers: Headers = {},
  method = 'GET',
): Promise<Answer> => {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  const path = `${pathname.replace(/\/$/, '')}${target}`;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ protocol, hostname, port, path, method, headers: { ...headers }, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  const sent = await buffer(message);
  const answer: Answer = {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, value?.toString()]),
    ),
    body: JSON.parse(decode(sent, message.headers['content-encoding']).toString('utf8')),
    bytes: sent.length,
  };
  expectDescribed(answer.status, answer.headers, answer.body);
  return answer;
};

const decode = (bytes: Buffer, coding: string | string[] | undefined): Buffer => {
  switch (coding) {
    case undefined:
      return bytes;
    case 'br':
      return brotliDecompressSync(bytes);
    case 'gzip':
      return gunzipSync(bytes);
    default:
      throw new Error(`Nobody asked for the coding ${coding.toString()}.`);
  }
};
