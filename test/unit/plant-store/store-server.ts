import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { dynamoDbClient, storeBounds } from '../../../functions/plant-store/dynamodb-client.ts';
import type { QueryOutput } from '../../../functions/plant-store/query.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

export const input = {
  TableName: 'Plants',
  KeyConditionExpression: 'principal = :principal',
  ExpressionAttributeValues: { ':principal': { S: 'user#Ökobaum 水' } },
  ProjectionExpression: 'sortKey',
  ExpressionAttributeNames: {},
  Limit: 1,
};

type Query = (signal?: AbortSignal) => Promise<QueryOutput>;

/** A Query through a new client for this store. */
export const queryAt = (endpoint: string, bounds: Partial<typeof storeBounds> = {}): Query => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
  const options = { region: 'eu-central-1', credentials, endpoint };
  const client = dynamoDbClient(options, { ...storeBounds, ...bounds });
  return (signal = new AbortController().signal) => client.query(input, signal);
};

/** How a store responds to a request. */
export type Response = (response: ServerResponse) => unknown;

export const succeed: Response = (response) => response.end('{"Items":[]}');

/** Closes a connection at its second request. */
export const closeReused = (): Response => {
  const used = new Set<unknown>();
  return (response) => {
    if (used.has(response.socket)) response.socket?.destroy();
    else succeed(response);
    used.add(response.socket);
  };
};

interface StoreServer {
  /** Its response to every request, which the test sets. */
  respond: Response;
  requests: { readonly request: IncomingMessage; readonly body: string }[];
  connections: number;
  url: string;
}

/** A store that succeeds at the start of each test. Called at the top of a test file. */
export const storeServer = (): StoreServer => {
  const store: StoreServer = { respond: succeed, requests: [], connections: 0, url: '' };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      store.requests.push({ request, body });
      store.respond(response);
    });
  }).on('connection', () => {
    store.connections += 1;
  });
  beforeAll(async () => {
    store.url = await startServer(server);
  });
  afterAll(() => stopServer(server));
  beforeEach(() => {
    Object.assign(store, { respond: succeed, requests: [], connections: 0 });
  });
  return store;
};
