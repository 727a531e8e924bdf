import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Server as TcpServer } from 'node:net';
import { z } from 'zod';

const loopback = '127.0.0.1';

/**
 * Starts a server on a loopback address.
 * @param requestedPort by default, the system chooses a free port
 * @returns the server's URL, without a path
 */
export const startServer = async (server: TcpServer, requestedPort = 0, host = loopback): Promise<string> => {
  await once(server.listen(requestedPort, host), 'listening');
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return `http://${host}:${String(port)}`;
};

/** Closes a server with its connections. */
export const stopServer = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

/** A port without a server. It is below the ports that the system gives to servers and clients. */
export const unusedPort = (): number => randomInt(10_000, 32_768);

/** A URL without a server. */
export const unusedUrl = (): string => `http://${loopback}:${String(unusedPort())}`;
