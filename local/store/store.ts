import { Worker } from 'node:worker_threads';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { codeOf } from '../../terminal/user-error.ts';
import { itemOf } from '../../table/item.ts';
import { UserError } from '../../terminal/user-error.ts';
import { loopback } from '../listen.ts';
import {
  localCredentials,
  localRegion,
  ownCredentials,
  ownStoreEndpoint,
  type StoreCredentials,
} from '../service-file.ts';
import type { TableDefinition } from '../stack/stack.ts';
import { samplePlants, samplePrincipals } from './sample-plants.ts';

/** Where the store is, and the keys that sign requests to it. */
export interface Store {
  readonly endpoint: string;
  readonly credentials: StoreCredentials;
}

const started = z.union([z.object({ port: z.number() }), z.object({ problem: z.string() })]);

/**
 * Uses the store in `AWS_ENDPOINT_URL_DYNAMODB`, or else starts an embedded one in memory.
 * @throws {UserError} when the port is in use
 */
export const startStore = async (port: number): Promise<Store> =>
  ownStoreEndpoint === undefined
    ? startEmbeddedStore(port, 'STORE_PORT')
    : { endpoint: ownStoreEndpoint, credentials: ownCredentials() };

/**
 * Starts an embedded store in memory.
 * @param variable the setting that chooses another port, for the error message
 * @throws {UserError} when the port is in use
 */
export const startEmbeddedStore = async (
  port: number,
  variable: string,
  address = loopback,
): Promise<Store> => {
  const worker = new Worker(new URL('./dynalite-worker.ts', import.meta.url), {
    argv: [port, variable, address],
  });
  const message = await new Promise<unknown>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  const result = started.parse(message);
  if ('problem' in result) throw new UserError(result.problem);
  return { endpoint: `http://${address}:${String(result.port)}`, credentials: localCredentials };
};

/**
 * Creates the stack's table with the sample plants, unless the store already has that table.
 * @throws {UserError} when the store does not respond
 */
export const fillStore = async ({ endpoint, credentials }: Store, table: TableDefinition): Promise<void> => {
  const client = new DynamoDBClient({
    endpoint,
    region: localRegion,
    credentials,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 3000, throwOnRequestTimeout: true },
  });
  try {
    await client.send(
      new CreateTableCommand({
        TableName: table.name,
        KeySchema: table.KeySchema,
        AttributeDefinitions: table.AttributeDefinitions,
        GlobalSecondaryIndexes: table.GlobalSecondaryIndexes,
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    await waitUntilTableExists(
      { client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 },
      { TableName: table.name },
    );
    for (const principal of samplePrincipals) {
      await client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            [table.name]: samplePlants[principal].map((plant) => ({
              PutRequest: { Item: itemOf(principal, plant) },
            })),
          },
        }),
      );
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
