import { buildHandler } from '../../../functions/list-plants/build-handler.ts';
import { variable } from '../../../functions/shared/environment.ts';
import { queryPlantStore } from '../query-plant-store.ts';
import { queryClient } from './query-client.ts';

const sessionToken = process.env['AWS_SESSION_TOKEN'];

const query = queryClient({
  region: variable(process.env, 'AWS_REGION'),
  credentials: {
    accessKeyId: variable(process.env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: variable(process.env, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken !== undefined && { sessionToken }),
  },
  endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'],
});

export const handler = buildHandler({
  store: queryPlantStore(query, variable(process.env, 'TABLE_NAME')),
  log: console,
  now: () => Date.now(),
});
