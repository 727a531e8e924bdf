import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UserError } from '../../cli/terminal/user-error.ts';
import { loopback } from '../listen.ts';

/**
 * Starts a store in memory, at the returned endpoint.
 * @throws {UserError} when the port cannot be used
 */
export const startEmbeddedStore = async (port: number | string, address = loopback): Promise<string> => {
  const worker = new Worker(new URL('./dynalite-worker.ts', import.meta.url), { argv: [port, address] });
  const posted: readonly unknown[] = await once(worker, 'message').catch((error: unknown) => {
    // A worker's error has lost its class.
    throw new UserError(error instanceof Error ? error.message : String(error));
  });
  return `http://${address}:${String(posted[0])}`;
};
