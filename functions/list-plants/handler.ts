import { logger } from '../shared/logger.ts';
import { variable } from '../shared/environment.ts';
import { buildHandler } from './build-handler.ts';
import { dynamoDbClient } from './dynamodb/client.ts';
import { dynamoPlantStore } from './dynamodb/plant-store.ts';
import { warmUp as walkOnce } from './warm-up.ts';

const sessionToken = process.env['AWS_SESSION_TOKEN'];

const client = dynamoDbClient({
  region: variable(process.env, 'AWS_REGION'),
  // Lambda sets these once for each execution environment.
  credentials: {
    accessKeyId: variable(process.env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: variable(process.env, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== undefined && { sessionToken }),
  },
  endpoint: variable(process.env, 'AWS_ENDPOINT_URL_DYNAMODB'),
});

const dependencies = {
  store: dynamoPlantStore(client, variable(process.env, 'TABLE_NAME')),
  log: logger(console, process.env),
  now: () => Date.now(),
};

export const handler = buildHandler(dependencies);

/** Called once, before the first event. */
export const warmUp = (): Promise<void> => walkOnce(dependencies);
