import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http';
import { isIPv4 } from 'node:net';
import { useOriginForm } from './origin-form.ts';

// A static import reads every export of the module, which loads undici and delays the start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Whether a foreign web page sends a request: with its Origin, as browsers do where it could change or read
 * something, or, after DNS rebinding, with a Host that is no IPv4 address and none of this machine's names.
 */
export const isForeign = (
  { origin, host = '' }: IncomingHttpHeaders,
  ownNames: readonly string[] = ['localhost'],
): boolean => {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return !(isIPv4(name) || ownNames.includes(name)) || (origin !== undefined && origin !== `http://${host}`);
};

/** Makes a server for programs, also in containers. A web page could read and change the store. */
export const serverForPrograms = (listener: RequestListener): Server =>
  createServer((request, response) => {
    useOriginForm(request);
    if (isForeign(request.headers, ['localhost', 'host.docker.internal'])) response.writeHead(403).end();
    else listener(request, response);
  });
