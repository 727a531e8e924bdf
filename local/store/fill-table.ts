import { itemOf } from '../../table/item.ts';
import { tableDefinition } from '../../table/table-definition.ts';
import { storeLogin } from '../../terminal/local-service.ts';
import { codeOf, UserError } from '../../terminal/user-error.ts';
import { samplePlants } from './sample-plants.ts';

/** Milliseconds to connect to the store, and to get a response. */
const timeouts = { connectionTimeout: 3000, requestTimeout: 3000, throwOnRequestTimeout: true };

/**
 * Creates the table with the sample plants, unless it exists.
 * @throws {UserError} when the store cannot be used
 */
export const fillTable = async (endpoint: string, TableName: string): Promise<void> => {
  // A static import would delay the start of the servers, because the AWS SDK takes long to load.
  const sdk = await import('@aws-sdk/client-dynamodb');
  const client = new sdk.DynamoDBClient({ endpoint, ...storeLogin, requestHandler: timeouts });
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
