import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body's JSON; undefined when it is not JSON. */
  readonly body: unknown;
  /** The length of the body as received, before decompression. */
  readonly bytes: number;
}

/** Request headers. An array sends a header more than once. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** Twice API Gateway's longest integration timeout. */
const timeoutMs = 60_000;

/** Sends a request exactly as written, for a response in JSON. */
export const exchange = async (...request: Parameters<typeof exchangeText>): Promise<ServiceResponse> => {
  const { text, ...response } = await exchangeText(...request);
  return { ...response, body: jsonIn(text) };
};

/**
 * Sends a request exactly as written. `fetch` would normalize it and add headers.
 * @param target path and query string
 * @param content the body; default: none
 */
export const exchangeText = async (
  baseUrl: string,
  target: string,
  headers: Headers = {},
  method = 'GET',
  content?: string | Uint8Array,
): Promise<Omit<ServiceResponse, 'body'> & { readonly text: string }> => {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const isHttps = protocol === 'https:';
  const request = isHttps ? httpsRequest : httpRequest;
  // Requests to a deployed service may need a proxy, which HTTPS_PROXY and NO_PROXY name.
  const agent = isHttps && new Agent({ proxyEnv: process.env });
  const path = `${pathname.replace(/\/$/, '')}${target}`;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    request({ protocol, hostname, port, path, method, headers: { ...headers }, agent, signal }, resolve)
      .on('error', reject)
      .end(content);
  });
  const body = await buffer(message);
  return {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, value?.toString()]),
    ),
    text: decode(body, message.headers['content-encoding']).toString('utf8'),
    bytes: body.length,
  };
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
      throw new Error(`The response has the coding ${coding.toString()}, which the request did not accept.`);
  }
};
