import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from './event.ts';

/** An HTTP API's quota for a body, in bytes (AWS: "Quotas for configuring and running an HTTP API"). */
const maxBodyBytes = 10 * 1024 * 1024;

/** Reads a request. A body above the quota is discarded, and the request is handled before its end arrives. */
export const readRequest = async (message: IncomingMessage): Promise<HttpRequest> => ({
  method: message.method ?? '',
  target: message.url ?? '',
  headers: message.headersDistinct,
  // Node never reports the end of a malformed body after a request to upgrade, so the body is not read.
  body: message.headers.upgrade === undefined ? await readBody(message) : Buffer.alloc(0),
  sourceIp: message.socket.remoteAddress ?? '',
});

/** @returns undefined for a body above the quota */
const readBody = (message: IncomingMessage): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    message
      .on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes <= maxBodyBytes) {
          parts.push(part);
          return;
        }
        // The rest is read and discarded: closing the connection now would reset it before the client reads the response.
        parts.length = 0;
        resolve(undefined);
      })
      .once('end', () => {
        resolve(Buffer.concat(parts));
      })
      .once('error', reject);
  });
