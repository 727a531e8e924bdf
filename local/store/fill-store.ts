import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { itemOf } from '../../table/item.ts';
import { codeOf, UserError } from '../../cli/terminal/user-error.ts';
import { localRegion, storeCredentials } from '../service-file.ts';
import type { TableDefinition } from '../stack/read-stack.ts';
import { samplePlants } from './sample-plants.ts';

/**
 * Creates the stack's table with the sample plants, unless the store already has that table.
 * @throws {UserError} when the store cannot be used
 */
export const fillStore = async (
  endpoint: string,
  { name: TableName, ...definition }: TableDefinition,
): Promise<void> => {
  const client = new DynamoDBClient({
    endpoint,
    region: localRegion,
    credentials: storeCredentials(),
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 3000, throwOnRequestTimeout: true },
  });
  try {
    await client.send(new CreateTableCommand({ TableName, ...definition, BillingMode: 'PAY_PER_REQUEST' }));
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName });
    const requests = samplePlants.map(({ principal, ...plant }) => ({
      PutRequest: { Item: itemOf(principal, plant) },
    }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw new UserError(
      `The store at ${endpoint} does not work (${codeOf(error) ?? String(error)}). ` +
        'Start it, or unset AWS_ENDPOINT_URL_DYNAMODB to use the embedded one.',
    );
  } finally {
    client.destroy();
  }
};
