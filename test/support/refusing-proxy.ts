import { createServer } from 'node:http';
import { startServer, stopServer } from './loopback-server.ts';

/** A proxy that refuses every tunnel. */
export interface RefusingProxy {
  readonly url: string;
  /** The addresses that clients requested, such as `plants.example.com:443`. */
  readonly requestedAddresses: Set<string>;
  readonly close: () => Promise<void>;
}

export const startRefusingProxy = async (): Promise<RefusingProxy> => {
  const requestedAddresses = new Set<string>();
  const server = createServer().on('connect', ({ url = '' }, socket) => {
    requestedAddresses.add(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return { url: await startServer(server), requestedAddresses, close: () => stopServer(server) };
};
