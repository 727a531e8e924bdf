import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http';
import { isIPv4 } from 'node:net';
import { useOriginForm } from './origin-form.ts';

// A static import of node:http reads all its exports, which loads undici and delays the start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Whether a web page of another origin sent the request. Browsers send Origin with each request by which a
 * page can read or change something. With DNS rebinding, Origin and Host both have the host name of the page,
 * so Host must be a name of this machine, or an IPv4 address, which cannot be rebound.
 * @param hostNames the accepted names of this machine
 */
export const isCrossOrigin = (
  { origin, host = '' }: IncomingHttpHeaders,
  hostNames: readonly string[] = ['localhost'],
): boolean => {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const isRebound = !isIPv4(name) && !hostNames.includes(name);
  return isRebound || (origin !== undefined && origin !== `http://${host}`);
};

/**
 * Makes a server for programs of this machine and its containers. The server refuses every web page, because
 * a page could read and change the store.
 */
export const serverForPrograms = (listener: RequestListener): Server =>
  createServer((request, response) => {
    useOriginForm(request);
    if (isCrossOrigin(request.headers, ['localhost', 'host.docker.internal'])) response.writeHead(403).end();
    else listener(request, response);
  });
