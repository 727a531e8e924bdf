import { credentialsFrom, variable } from '../shared/environment.ts';
import { logger } from '../shared/logger.ts';
import { buildHandler } from '../http/build-handler.ts';
import { dynamoDbClient } from '../plant-store/dynamodb-client.ts';
import { dynamoPlantStore } from '../plant-store/dynamodb-plant-store.ts';
import { warmConnection } from '../http/warm-connection.ts';

const client = dynamoDbClient({
  region: variable(process.env, 'AWS_REGION'),
  credentials: credentialsFrom(process.env),
  endpoint: variable(process.env, 'AWS_ENDPOINT_URL_DYNAMODB'),
});

const dependencies = {
  store: dynamoPlantStore(client, variable(process.env, 'TABLE_NAME')),
  log: logger(console, process.env),
  now: () => Date.now(),
};

export const handler = buildHandler(dependencies);

/** Called once, before the first event. */
export const warmUp = (): Promise<void> => warmConnection(dependencies);
