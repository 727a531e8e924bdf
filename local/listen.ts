import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { isIPv4 } from 'node:net';
import * as v from 'valibot';
import { codeOf, UserError } from '../cli/terminal/user-error.ts';

// A static import reads every export of the module, which loads undici and delays the start.
const { createServer } = process.getBuiltinModule('node:http');

/** Servers listen on this address unless containers must reach them. Other machines cannot reach it. */
export const loopback = '127.0.0.1';

const defaultPorts = { PORT: '3000', STORE_PORT: '8000', ISSUER_PORT: '9000' } as const;

/**
 * Listens on the loopback address, or on another address of this machine.
 * @param variable the variable of the environment that has the port; with 0, the system chooses a free one
 * @returns the server's URL
 * @throws {UserError} when the port or the address cannot be used
 */
export const listen = async (
  server: Server,
  variable: keyof typeof defaultPorts,
  address = loopback,
): Promise<string> => {
  if (!isIPv4(address))
    throw new UserError(
      `ADDRESS must be an IPv4 address; it is "${address}". If this machine has no docker0, start Docker.`,
    );
  const port = (process.env[variable] ?? '') || defaultPorts[variable];
  try {
    await once(server.listen({ port, host: address }), 'listening');
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    const problem = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    const setting = address === loopback ? variable : `${variable} or ADDRESS`;
    throw new UserError(`Port ${port} of ${address} ${problem}. Set ${setting} to another one.`);
  }
  return `http://${address}:${String(v.parse(v.object({ port: v.number() }), server.address()).port)}`;
};

/** Whether a Host header is safe from DNS rebinding: an IPv4 address, or a name of this machine. */
export const isOwnHost = (host: string): boolean =>
  /^(?:localhost|host\.docker\.internal|\d+(?:\.\d+){3})(?::\d+)?$/.test(host);

/**
 * Makes a server for programs. It refuses the requests of web pages in the developer's browser, which could
 * read and change the store: browsers send the page's origin with a request that changes something or whose
 * response the page may read.
 */
export const serverForPrograms = (listener: RequestListener): Server =>
  createServer((request, response) => {
    const { origin, host = '' } = request.headers;
    if (origin === undefined && isOwnHost(host)) listener(request, response);
    else response.writeHead(403).end();
  });
