import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http';
import { isIPv4 } from 'node:net';
import { useOriginForm } from './origin-form.ts';

// A static import reads every export of the module, which loads undici and delays the start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Whether a web page of another origin sent the request. Browsers send Origin with each request by which a
 * page can read or change something. After DNS rebinding, Origin matches Host, but Host is the name of the
 * page. An IPv4 address as Host is accepted, because no DNS name is resolved for it.
 * @param hostNames the names of this machine that Host may have
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
