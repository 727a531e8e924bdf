import { variable } from '../shared/environment.ts';
import { buildHandler } from './build-handler.ts';
import { dynamoClient } from './dynamo-client.ts';
import { dynamoPlantStore } from './dynamo-plant-store.ts';

const sessionToken = process.env['AWS_SESSION_TOKEN'];

const client = dynamoClient({
  region: variable(process.env, 'AWS_REGION'),
  // Lambda sets them once per execution environment, so the SDK's chain of other sources has nothing to find.
  credentials: {
    accessKeyId: variable(process.env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: variable(process.env, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== undefined && { sessionToken }),
  },
  endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'],
});

export const handler = buildHandler({
  store: dynamoPlantStore(client, variable(process.env, 'TABLE_NAME')),
  log: console,
  now: () => Date.now(),
});
