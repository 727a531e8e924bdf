import { createServer, type Server } from 'node:http';
import { listen } from '../../local/listen.ts';

/**
 * Starts a server on a free port of the loopback address.
 * @returns its URL, without a path
 */
export const startServer = async (server: Server): Promise<string> =>
  `http://127.0.0.1:${String(await listen(server, 0, 'PORT'))}`;

/** Closes a server with its connections. */
export const stopServer = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

/** A URL whose port has no server. */
export const unusedUrl = async (): Promise<string> => {
  const server = createServer();
  const url = await startServer(server);
  await stopServer(server);
  return url;
};
