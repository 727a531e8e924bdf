import type { Server } from 'node:http';
import { codeOf, UserError } from '../../terminal/user-error.ts';
import { itemOf } from '../../table/item.ts';
import { tableDefinition } from '../../table/table-definition.ts';
import { serverForPrograms } from '../server/cross-origin.ts';
import { storeLogin } from '../../terminal/local-service.ts';
import { samplePlants } from './sample-plants.ts';

/** A server with a store in memory. */
export const embeddedStore = (): Server => {
  let store: Promise<Server> | undefined;
  return serverForPrograms((request, response) => {
    // Loaded for the first request, because it is slow to load.
    store ??= import('dynalite').then(({ default: dynalite }) => dynalite({ createTableMs: 0 }));
    void store.then((each) => each.emit('request', request, response));
  });
};

/**
 * Creates the table with the sample plants, unless it exists.
 * @throws {UserError} when the store cannot be used
 */
export const fillStore = async (endpoint: string, TableName: string): Promise<void> => {
  // Loaded here, because it is slow to load.
  const sdk = await import('@aws-sdk/client-dynamodb');
  const requestHandler = { connectionTimeout: 3000, requestTimeout: 3000, throwOnRequestTimeout: true };
  const client = new sdk.DynamoDBClient({ endpoint, ...storeLogin, requestHandler });
  try {
    await client.send(new sdk.CreateTableCommand(tableDefinition(TableName)));
    await sdk.waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1, maxDelay: 1 }, { TableName });
    const requests = samplePlants.map(({ principal, ...plant }) => ({
      PutRequest: { Item: itemOf(principal, plant) },
    }));
    await client.send(new sdk.BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
  } catch (error) {
    if (error instanceof sdk.ResourceInUseException) return;
    const reason = codeOf(error) ?? (error instanceof Error ? error.name : String(error));
    throw new UserError(
      `The store at ${endpoint} does not work (${reason}). ` +
        'Start it, or unset AWS_ENDPOINT_URL_DYNAMODB to use the embedded one.',
    );
  }
};
