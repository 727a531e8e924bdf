import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { parseJsonObject, type JsonObject } from '../json-object.ts';

/** In milliseconds: well within the authorizer's timeout of 5 s, also at its share of a processor. */
export const fetchDeadline = 2000;

const maxBytes = 512 * 1024;

/**
 * Fetches an issuer's key set (RFC 7517 section 5). It avoids `fetch`, which adds 20 ms to a cold start.
 * @param deadline milliseconds until the whole body must have arrived
 * @throws {Error} for anything but a JSON object with status 200; redirects are not followed
 */
export const fetchJwks = async (uri: string, deadline: number): Promise<JsonObject> => {
  const get = uri.startsWith('https:') ? getHttps : getHttp;
  const options = {
    signal: AbortSignal.timeout(deadline),
    headers: { accept: 'application/json' },
    // The next fetch is minutes away, when a connection kept open would be dead.
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
        response.destroy(new Error(`The issuer responded with status ${String(response.statusCode)}.`));
      }
    })
      // Without a listener, Node would close the connection and report nothing.
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('The issuer responded with another protocol.'));
      })
      .on('error', reject);
  });
  return parseJsonObject(body);
};
