import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { codeOf, UserError } from '../terminal/user-error.ts';

/** The address that servers listen on unless containers must reach them. The network cannot reach it. */
export const loopback = '127.0.0.1';

/**
 * Listens on the loopback address, or on another address of this machine.
 * @param variable the setting that chooses another port, for the error message
 * @returns the port
 * @throws {UserError} when the port is in use or not allowed
 */
export const listen = (server: Server, port: number, variable: string, address = loopback): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = codeOf(error);
      const problem = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code ?? String(error)})`;
      const setting = address === loopback ? variable : `${variable} or ADDRESS`;
      reject(new UserError(`Port ${String(port)} of ${address} ${problem}. Set ${setting} to another one.`));
    });
    server.listen(port, address, () => {
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) resolve(bound.port);
    });
  });

/** Whether a page of another site cannot have this host: its own name could resolve to this machine (DNS rebinding). */
const isOwnHost = (host: string): boolean =>
  /^(?:localhost|host\.docker\.internal|\d+(?:\.\d+){3})(?::\d+)?$/.test(host);

/**
 * Refuses what a web page in the developer's browser sends, which could otherwise read, write and delete in the store.
 * Browsers name the page's origin in whatever can change something or be read by another site.
 */
export const refusePages = (server: Server): Server => {
  const listeners = server.listeners('request');
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { origin, host = '' } = request.headers;
    if (origin !== undefined || !isOwnHost(host)) response.writeHead(403).end();
    else for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
  });
  return server;
};
