import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { parseJsonObject, type JsonObject } from './json-object.ts';

const maxBytes = 512 * 1024;

/**
 * Fetches an issuer's key set (RFC 7517 section 5). Not by `fetch`, whose loading costs 20 ms of a cold start.
 * @param deadline milliseconds from now until the whole body must be there
 * @throws {Error} on anything but a JSON object with status 200; a redirect is not followed
 */
export const fetchKeySet = (uri: string, deadline: number): Promise<JsonObject> =>
  new Promise((resolve, reject) => {
    const get = uri.startsWith('https:') ? getHttps : getHttp;
    const onResponse = (response: IncomingMessage): void => {
      readBody(response)
        .then((body) => {
          resolve(parseJsonObject(body));
        })
        .catch(reject);
    };
    get(
      uri,
      { signal: AbortSignal.timeout(deadline), headers: { accept: 'application/json' } },
      onResponse,
    ).on('error', reject);
  });

const readBody = async (response: IncomingMessage): Promise<Buffer> => {
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`The issuer answered with status ${String(response.statusCode)}.`);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error('The key set is larger than 512 KB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
};
