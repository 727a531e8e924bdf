import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UserError } from '../../terminal/user-error.ts';
import { loopback } from '../listen.ts';
import {
  localCredentials,
  ownCredentials,
  ownStoreEndpoint,
  type StoreCredentials,
} from '../service-file.ts';

/** Where the store is, and the keys that sign requests to it. */
export interface Store {
  readonly endpoint: string;
  readonly credentials: StoreCredentials;
}

/**
 * Uses the store in `AWS_ENDPOINT_URL_DYNAMODB`, or else starts an embedded one in memory.
 * @throws {UserError} when the port cannot be used, or the variable is no address
 */
export const startStore = async (port: string, address: string): Promise<Store> => {
  const endpoint = ownStoreEndpoint();
  return endpoint === undefined
    ? startEmbeddedStore(port, address)
    : { endpoint, credentials: ownCredentials() };
};

/**
 * Starts an embedded store in memory.
 * @throws {UserError} when the port cannot be used
 */
export const startEmbeddedStore = async (port: number | string, address = loopback): Promise<Store> => {
  const worker = new Worker(new URL('./dynalite-worker.ts', import.meta.url), { argv: [port, address] });
  const taken: readonly unknown[] = await once(worker, 'message').catch((error: unknown) => {
    // An error arrives without its class.
    throw new UserError(error instanceof Error ? error.message : String(error));
  });
  return { endpoint: `http://${address}:${String(taken[0])}`, credentials: localCredentials };
};
