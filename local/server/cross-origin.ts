import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http';
import { isIPv4 } from 'node:net';
import { useOriginForm } from './origin-form.ts';

// A static import reads every export of the module, which loads undici and delays the start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * Whether a request comes from a web page of another origin. Its Origin shows that, which browsers send
 * wherever a page could change or read something; after DNS rebinding, its Host does, which names the page.
 * @param hostNames names of this machine that a Host may have; an IPv4 address cannot be rebound
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
 * Makes a server for programs of this machine and its containers. It refuses every web page, because a page
 * could read and change the store.
 */
export const serverForPrograms = (listener: RequestListener): Server =>
  createServer((request, response) => {
    useOriginForm(request);
    if (isCrossOrigin(request.headers, ['localhost', 'host.docker.internal'])) response.writeHead(403).end();
    else listener(request, response);
  });
