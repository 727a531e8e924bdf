import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from './event.ts';

/** An HTTP API's quota for a body, in bytes (AWS: "Quotas for configuring and running an HTTP API"). */
const maxBodyBytes = 10 * 1024 * 1024;

/** Reads a request. A body above the quota is not read further. */
export const readRequest = async (message: IncomingMessage): Promise<HttpRequest> => ({
  method: message.method ?? '',
  target: message.url ?? '',
  headers: message.headersDistinct,
  // Node never reports the end of a malformed body after a request to upgrade, so the body is not read.
  body: message.headers.upgrade === undefined ? await readBody(message) : Buffer.alloc(0),
  sourceIp: message.socket.remoteAddress ?? '',
});

/** Whether a request announces a body above the quota, so that none of it has to be read. */
export const announcesTooMuch = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > maxBodyBytes;

/** @returns undefined for a body above the quota */
const readBody = async (message: IncomingMessage): Promise<Buffer | undefined> => {
  if (announcesTooMuch(message)) return undefined;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    message
      .on('data', (part: Buffer) => {
        bytes += part.length;
        parts.push(part);
        if (bytes <= maxBodyBytes) return;
        // The parser stops reading from the connection as soon as its small buffer is full.
        message.pause();
        resolve(undefined);
      })
      .once('end', () => {
        resolve(Buffer.concat(parts));
      })
      .once('error', reject);
  });
};
