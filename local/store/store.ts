import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { itemOf } from '../../table/item.ts';
import { codeOf, UserError } from '../../terminal/user-error.ts';
import { loopback } from '../listen.ts';
import {
  localCredentials,
  localRegion,
  ownCredentials,
  ownStoreEndpoint,
  type StoreCredentials,
} from '../service-file.ts';
import type { TableDefinition } from '../stack/read-stack.ts';
import { samplePlants, samplePrincipals } from './sample-plants.ts';

/** Where the store is, and the keys that sign requests to it. */
export interface Store {
  readonly endpoint: string;
  readonly credentials: StoreCredentials;
}

/**
 * Uses the store in `AWS_ENDPOINT_URL_DYNAMODB`, or else starts an embedded one in memory.
 * @throws {UserError} when the port is in use, or the variable is no address
 */
export const startStore = async (port: number, address: string): Promise<Store> => {
  const endpoint = ownStoreEndpoint();
  return endpoint === undefined
    ? startEmbeddedStore(port, address)
    : { endpoint, credentials: ownCredentials() };
};

/**
 * Starts an embedded store in memory.
 * @throws {UserError} when the port is in use
 */
export const startEmbeddedStore = async (port: number, address = loopback): Promise<Store> => {
  const worker = new Worker(new URL('./dynalite-worker.ts', import.meta.url), {
    argv: [port, address],
  });
  const taken: readonly unknown[] = await once(worker, 'message').catch((error: unknown) => {
    // An error arrives without its class.
    throw new UserError(error instanceof Error ? error.message : String(error));
  });
  return { endpoint: `http://${address}:${String(taken[0])}`, credentials: localCredentials };
};

/**
 * Creates the stack's table with the sample plants, unless the store already has that table.
 * @throws {UserError} when the store does not respond
 */
export const fillStore = async (
  { endpoint, credentials }: Store,
  { name: TableName, ...definition }: TableDefinition,
): Promise<void> => {
  const client = new DynamoDBClient({
    endpoint,
    region: localRegion,
    credentials,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 3000, throwOnRequestTimeout: true },
  });
  try {
    await client.send(new CreateTableCommand({ TableName, ...definition, BillingMode: 'PAY_PER_REQUEST' }));
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName });
    for (const principal of samplePrincipals) {
      const requests = samplePlants[principal].map((plant) => ({
        PutRequest: { Item: itemOf(principal, plant) },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    }
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw new UserError(
      `The store at ${endpoint} does not work (${codeOf(error) ?? String(error)}). Start it, or unset AWS_ENDPOINT_URL_DYNAMODB to use the embedded one.`,
    );
  } finally {
    client.destroy();
  }
};
