import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { parseJsonObject, type JsonObject } from './json-object.ts';

/** Milliseconds; leaves room in the authorizer's 5 s for a second fetch, should a token name an unknown key. */
export const fetchDeadline = 2000;

const maxBytes = 512 * 1024;

/**
 * Fetches an issuer's key set (RFC 7517 section 5). Not by `fetch`, whose loading costs 20 ms of a cold start.
 * @param deadline milliseconds from now until the whole body must be there
 * @throws {Error} on anything but a JSON object with status 200; a redirect is not followed
 */
export const fetchJwks = async (uri: string, deadline: number): Promise<JsonObject> => {
  const get = uri.startsWith('https:') ? getHttps : getHttp;
  const options = {
    signal: AbortSignal.timeout(deadline),
    headers: { accept: 'application/json' },
    // A connection kept for the next fetch, minutes later, would be dead by then.
    agent: false,
  };
  const body = await new Promise<Buffer>((resolve, reject) => {
    get(uri, options, (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response
        .on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > maxBytes) response.destroy(new Error('The key set is larger than 512 KB.'));
          else parts.push(part);
        })
        .on('end', () => {
          resolve(Buffer.concat(parts));
        })
        .on('error', reject);
      if (response.statusCode !== 200) {
        response.destroy(new Error(`The issuer answered with status ${String(response.statusCode)}.`));
      }
    }).on('error', reject);
  });
  return parseJsonObject(body);
};
