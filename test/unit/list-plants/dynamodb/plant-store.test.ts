import { createServer, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import dynalite from 'dynalite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dynamoDbClient } from '../../../../functions/list-plants/dynamodb/client.ts';
import { dynamoPlantStore } from '../../../../functions/list-plants/dynamodb/dynamodb-plant-store.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import type { PlantPage, PlantStore } from '../../../../functions/list-plants/plant-store.ts';
import { describePlantStore } from '../../../contract/plant-store.ts';
import { credentials, region } from '../../../support/dynamodb-table.ts';
import { startServer, stopServer, unusedUrl } from '../../../support/loopback-server.ts';
import { storedPlant } from '../../../support/stored-plants.ts';

const tableName = 'Plants';
const { signal } = new AbortController();

const servers: Server[] = [];

const storeAt = (endpoint: string): PlantStore =>
  dynamoPlantStore(dynamoDbClient({ region, credentials, endpoint }), tableName);

const listen = (server: Server): Promise<string> => {
  servers.push(server);
  return startServer(server);
};
afterAll(() => Promise.all(servers.map(stopServer)));

describePlantStore('dynalite', () => listen(dynalite({ createTableMs: 0 })));

describe('a DynamoDB with other responses', () => {
  let requests: { readonly target: unknown; readonly body: unknown }[] = [];
  let respond: (response: ServerResponse) => void;
  let endpoint: string;
  let store: PlantStore;

  const query = { principal: 'user#alice', after: 'fern\u00001', limit: 5 } as const;
  const read = (readSignal = signal): Promise<PlantPage> => store.readPlants(query, readSignal);

  const responseWith =
    (status: number, body: string) =>
    (response: ServerResponse): void => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    };
  /** A response without items after which more follow. */
  const lastKey = (sortKey: object): string => JSON.stringify({ Items: [], LastEvaluatedKey: { sortKey } });
  const refusal = (status: number, type: string): typeof respond =>
    responseWith(
      status,
      JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Rose of alice' }),
    );

  beforeAll(async () => {
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        requests.push({ target: request.headers['x-amz-target'], body });
        respond(response);
      });
    });
    endpoint = await listen(server);
  });
  beforeEach(() => {
    requests = [];
    store = storeAt(endpoint);
  });

  it('receives a Query on the table for no more than is needed, without a filter', async () => {
    respond = responseWith(200, '{"Items":[],"Count":0,"ScannedCount":0}');
    await read();
    expect(requests).toEqual([
      {
        target: 'DynamoDB_20120810.Query',
        body: {
          TableName: tableName,
          KeyConditionExpression: 'principal = :principal AND sortKey > :after',
          ExpressionAttributeValues: { ':principal': { S: 'user#alice' }, ':after': { S: 'fern\u00001' } },
          ProjectionExpression: 'sortKey, #name, #tag',
          ExpressionAttributeNames: { '#name': 'name', '#tag': 'tag' },
          Limit: 5,
        },
      },
    ]);
  });

  it('receives neither a position nor a limit unless the query has one', async () => {
    respond = responseWith(200, '{"Items":[]}');
    await store.readPlants({ principal: 'user#alice' }, signal);
    expect(requests).toEqual([
      {
        target: 'DynamoDB_20120810.Query',
        body: {
          TableName: tableName,
          KeyConditionExpression: 'principal = :principal',
          ExpressionAttributeValues: { ':principal': { S: 'user#alice' } },
          ProjectionExpression: 'sortKey, #name, #tag',
          ExpressionAttributeNames: { '#name': 'name', '#tag': 'tag' },
        },
      },
    ]);
  });

  it('says with its last key where to continue', async () => {
    respond = responseWith(200, lastKey({ S: 'ivy\u00001' }));
    expect(await read()).toEqual({ plants: [], damaged: 0, next: 'ivy\u00001' });
  });

  it('receives no limit above the largest int32', async () => {
    respond = responseWith(200, '{"Items":[]}');
    await store.readPlants({ ...query, limit: 2_147_483_648 }, signal);
    expect(requests).toMatchObject([{ body: { Limit: 2_147_483_647 } }]);
  });

  it.each([
    ['is empty', {}],
    ['has a number in place of a string', { sortKey: { S: 'fern\u00001' }, name: { S: 5 } }],
    ['has null in place of an attribute', { sortKey: null, name: { S: 'fern' } }],
    ['has a string in place of an attribute', { sortKey: 'fern\u00001', name: 'fern' }],
  ])('has a damaged item when an item %s', async (_, damaged) => {
    const good = { sortKey: { S: 'ivy\u00001' }, name: { S: 'ivy' } };
    respond = responseWith(200, JSON.stringify({ Items: [damaged, good] }));
    expect(await read()).toEqual({ plants: [storedPlant('ivy')], damaged: 1 });
  });

  const unavailable = new ServiceError(catalogue.storeUnavailable);

  it.each([
    ['throttles the table', refusal(400, 'ProvisionedThroughputExceededException')],
    ['throttles the account', refusal(400, 'RequestLimitExceeded')],
    ['throttles requests', refusal(400, 'ThrottlingException')],
    ['has an internal error', refusal(500, 'InternalServerError')],
    ['is unavailable', responseWith(503, 'Service Unavailable')],
  ])('is unavailable after three attempts when it %s', async (_, failure) => {
    respond = failure;
    await expect(read()).rejects.toThrow(unavailable);
    expect(requests).toHaveLength(3);
  });

  it('is unavailable after three attempts when it closes the connection', async () => {
    respond = ({ socket }) => socket?.destroy();
    await expect(read()).rejects.toThrow(unavailable);
    expect(requests).toHaveLength(3);
  });

  it('receives a second attempt after a transient failure', async () => {
    respond = (response) => {
      respond = responseWith(200, '{"Items":[]}');
      refusal(500, 'InternalServerError')(response);
    };
    expect(await read()).toEqual({ plants: [], damaged: 0 });
  });

  it.each([
    ['a page of HTML', '<html>Rose</html>'],
    ['half a response', '{"Items":[{"sortKey":{"S":"rose'],
    ['a number', '5'],
    ['an empty body', ''],
  ])('is unavailable when it responds with %s', async (_, body) => {
    respond = responseWith(200, body);
    await expect(read()).rejects.toThrow(unavailable);
  });

  it.each([
    ['NoItems', 'no list of items', '{}'],
    ['NoLastKey', 'a last key that is not a position', lastKey({ N: '5' })],
    ['NoItems', 'a last key that is null', '{"Items":[],"LastEvaluatedKey":null}'],
    ['NoItems', 'an item that is null', '{"Items":[null]}'],
  ])('is unavailable, with the cause %s, when it responds with %s', async (code, _, body) => {
    respond = responseWith(200, body);
    const cause = { name: 'DynamoDbError', code, transient: true };
    await expect(read()).rejects.toMatchObject({ entry: catalogue.storeUnavailable, cause });
  });

  it('is unavailable when it refuses the connection', async () => {
    const unreachable = storeAt(await unusedUrl());
    await expect(unreachable.readPlants(query, signal)).rejects.toThrow(unavailable);
  });

  it('receives no second attempt when the request is aborted', async () => {
    const request = new AbortController();
    respond = () => {
      request.abort();
    };
    await expect(read(request.signal)).rejects.toThrow(unavailable);
    expect(requests).toHaveLength(1);
  });

  it.each(['AccessDeniedException', 'ResourceNotFoundException', 'ValidationException'])(
    'receives no second attempt, and is not unavailable, when it rejects the request: %s',
    async (type) => {
      respond = refusal(400, type);
      const failure: unknown = await read().catch((error: unknown) => error);
      expect(failure).toHaveProperty('code', type);
      expect(failure).not.toBeInstanceOf(ServiceError);
      expect(requests).toHaveLength(1);
    },
  );
});
