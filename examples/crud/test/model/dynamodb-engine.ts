import { randomUUID } from 'node:crypto';
import { type DynamoDbClient, dynamoDbClient, storeBounds } from '../../functions/dynamodb/client.ts';
import { dynamoDbPlantItems } from '../../functions/plant-store/dynamodb-plant-items.ts';
import { dynamoDbPlantStore } from '../../functions/plant-store/dynamodb-plant-store.ts';
import { dynamoDbRequestRecords } from '../../functions/plant-store/dynamodb-request-records.ts';
import type { Credentials } from '../../functions/runtime/environment.ts';
import { itemKey } from '../../table/keys.ts';
import { requestSortKey } from '../../table/request-record.ts';
import { forward, startFakeServer } from '../support/fake-server.ts';
import { credentials, dynamoDbTable, region } from '../support/table/dynamodb-table.ts';
import type { Engine, Ports } from './engine.ts';

/**
 * A new table in the DynamoDB at an endpoint. The operations reach it through a proxy that loses responses
 * after DynamoDB has done the write, so the client's own retries run.
 */
export const dynamoDbEngine = async (endpoint: string, login: Credentials = credentials): Promise<Engine> => {
  const tableName = `model-${randomUUID()}`;
  const table = dynamoDbTable(endpoint, tableName, login);
  await table.create();
  let lost = 0;
  const proxy = await startFakeServer(async (request) => {
    const reply = await forward(endpoint, request);
    if (lost === 0) return reply;
    lost -= 1;
    return { ...reply, status: 500, body: Buffer.from('{}') };
  });
  const portsOf = (client: DynamoDbClient): Ports => ({
    items: dynamoDbPlantItems(client, tableName),
    records: dynamoDbRequestRecords(client, tableName),
    store: dynamoDbPlantStore(client, tableName),
  });
  const bounds = { ...storeBounds, backoff: { failed: 0, throttled: 0 } };
  return {
    ports: portsOf(dynamoDbClient({ region, credentials: login, endpoint: proxy.url }, bounds)),
    observer: portsOf(dynamoDbClient({ region, credentials: login, endpoint })),
    loseResponses: (count) => {
      lost = count;
    },
    removeRecord: (key) => table.remove([itemKey(key, requestSortKey)]),
    close: async () => {
      table.close();
      await proxy.close();
    },
  };
};
