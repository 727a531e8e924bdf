import { credentialsFrom } from '../shared/credentials.ts';
import { logger } from '../shared/logger.ts';
import { variable } from '../shared/environment.ts';
import { buildHandler } from './build-handler.ts';
import { dynamoDbClient } from './dynamodb/client.ts';
import { dynamoPlantStore } from './dynamodb/dynamodb-plant-store.ts';
import { warmConnection } from './warm-connection.ts';

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
