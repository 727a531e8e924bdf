import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { afterAll } from 'vitest';
import { describePlantStore } from '../../contract/plant-store.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { credentials, region } from '../../support/table/dynamodb-table.ts';
import { sdkPlantStore } from './sdk-plant-store.ts';

const server = dynalite({ createTableMs: 0 });
describePlantStore(
  'dynalite, read with the AWS SDK',
  () => startServer(server),
  (endpoint, tableName) => sdkPlantStore(new DynamoDBClient({ region, credentials, endpoint }), tableName),
);
afterAll(() => stopServer(server));
