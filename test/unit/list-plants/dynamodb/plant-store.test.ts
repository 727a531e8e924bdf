import { createServer, type Server, type ServerResponse } from 'node:http';
import dynalite from 'dynalite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dynamoDbClient } from '../../../../functions/list-plants/dynamodb/client.ts';
import { dynamoPlantStore } from '../../../../functions/list-plants/dynamodb/plant-store.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import type { PlantPage, PlantStore } from '../../../../functions/list-plants/plant-store.ts';
import { describePlantStore } from '../../../contract/plant-store.ts';
import { credentials, region } from '../../../support/dynamodb-table.ts';
import { storedPlant } from '../../../support/stored-plants.ts';

const tableName = 'Plants';
const { signal } = new AbortController();

const servers: Server[] = [];

const storeAt = (endpoint: string): PlantStore =>
  dynamoPlantStore(dynamoDbClient({ region, credentials, endpoint }), tableName);

const listen = async (server: Server): Promise<string> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `http://127.0.0.1:${String(port)}`;
};

afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

describePlantStore('dynalite', () => listen(dynalite({ createTableMs: 0 })));

describe('a DynamoDB that answers otherwise', () => {
  let requests: { readonly target: unknown; readonly body: unknown }[] = [];
  let respond: (response: ServerResponse) => void;
  let endpoint: string;
  let store: PlantStore;

  const query = { principal: 'user#alice', after: 'fern\u00001', limit: 5 } as const;
  const read = (readSignal = signal): Promise<PlantPage> => store.readPlants(query, readSignal);

  const answering = (status: number, body: string) => (): void => {
    requests = [];
    respond = (response) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  };
  const refusing = (status: number, type: string): (() => void) =>
    answering(
      status,
      JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Rose of alice' }),
    );

  beforeAll(async () => {
    endpoint = await listen(
      createServer((request, response) => {
        const parts: Buffer[] = [];
        request
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', () => {
            const body: unknown = JSON.parse(Buffer.concat(parts).toString());
            requests.push({ target: request.headers['x-amz-target'], body });
            respond(response);
          });
      }),
    );
    store = storeAt(endpoint);
  });

  it('is asked by a Query on the table for no more than is needed, without a filter', async () => {
    answering(200, '{"Items":[],"Count":0,"ScannedCount":0}')();
    await read();
    expect(requests).toEqual([
      {
        target: 'DynamoDB_20120810.Query',
        body: {
          TableName: tableName,
          KeyConditionExpression: 'principal = :principal AND sortKey > :after',
          ExpressionAttributeValues: { ':principal': { S: 'user#alice' }, ':after': { S: 'fern\u00001' } },
          ProjectionExpression: 'sortKey, #name, tag',
          ExpressionAttributeNames: { '#name': 'name' },
          Limit: 5,
        },
      },
    ]);
  });

  it('is asked for no more items at once than it can count', async () => {
    answering(200, '{"Items":[]}')();
    await store.readPlants({ ...query, limit: 2_147_483_648 }, signal);
    expect(requests).toMatchObject([{ body: { Limit: 2_147_483_647 } }]);
  });

  it.each([
    ['is nothing', {}],
    ['has a number where text belongs', { sortKey: { S: 'fern\u00001' }, name: { S: 5 } }],
    ['has null where an attribute belongs', { sortKey: null, name: { S: 'fern' } }],
    ['has text where an attribute belongs', { sortKey: 'fern\u00001', name: 'fern' }],
  ])('has a damaged item when one %s', async (_, damaged) => {
    const good = { sortKey: { S: 'ivy\u00001' }, name: { S: 'ivy' } };
    answering(200, JSON.stringify({ Items: [damaged, good] }))();
    expect(await read()).toEqual({ plants: [storedPlant('ivy')], damaged: 1 });
  });

  const unavailable = new ServiceError(catalogue.storeUnavailable);

  it.each([
    ['throttles the table', refusing(400, 'ProvisionedThroughputExceededException')],
    ['throttles the account', refusing(400, 'RequestLimitExceeded')],
    ['throttles requests', refusing(400, 'ThrottlingException')],
    ['has an error of its own', refusing(500, 'InternalServerError')],
    ['is unavailable', answering(503, 'Service Unavailable')],
  ])('is given up after three attempts when it %s', async (_, prepare) => {
    prepare();
    await expect(read()).rejects.toThrow(unavailable);
    expect(requests).toHaveLength(3);
  });

  it('is given up after three attempts when it hangs up', async () => {
    requests = [];
    respond = ({ socket }) => socket?.destroy();
    await expect(read()).rejects.toThrow(unavailable);
    expect(requests).toHaveLength(3);
  });

  it('is asked once more after a failure that passes', async () => {
    refusing(500, 'InternalServerError')();
    const fail = respond;
    respond = (response) => {
      answering(200, '{"Items":[]}')();
      fail(response);
    };
    expect(await read()).toEqual({ plants: [], damaged: 0 });
  });

  it.each([
    ['a page of HTML', '<html>Rose</html>'],
    ['half an answer', '{"Items":[{"sortKey":{"S":"rose'],
    ['something that is not an object', '5'],
    ['nothing', ''],
    ['no list of items', '{}'],
    ['a last key that is no place to go on from', '{"Items":[],"LastEvaluatedKey":{"sortKey":{"N":"5"}}}'],
  ])('is unavailable when it answers with %s', async (_, body) => {
    answering(200, body)();
    await expect(read()).rejects.toThrow(unavailable);
  });

  it('is unavailable when nobody listens', async () => {
    const server = createServer();
    const nowhere = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(storeAt(nowhere).readPlants({ principal: 'user#alice' }, signal)).rejects.toThrow(
      unavailable,
    );
  });

  it('is left alone when the request ends before it answers', async () => {
    const request = new AbortController();
    requests = [];
    respond = () => {
      request.abort();
    };
    await expect(read(request.signal)).rejects.toThrow(unavailable);
    expect(requests).toHaveLength(1);
  });

  it.each(['AccessDeniedException', 'ResourceNotFoundException', 'ValidationException'])(
    'is not asked again, nor called unavailable, when it refuses the request itself: %s',
    async (type) => {
      refusing(400, type)();
      const failure: unknown = await read().catch((error: unknown) => error);
      expect(failure).toHaveProperty('code', type);
      expect(failure).not.toBeInstanceOf(ServiceError);
      expect(requests).toHaveLength(1);
    },
  );
});
