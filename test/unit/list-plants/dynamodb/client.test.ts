import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  dynamoDbClient,
  type DynamoDbClient,
  storeBounds,
} from '../../../../functions/list-plants/dynamodb/client.ts';
import { DynamoDbError } from '../../../../functions/list-plants/dynamodb/query.ts';
import { startServer, stopServer, unusedUrl } from '../../../support/loopback-server.ts';

const input = {
  TableName: 'Plants',
  KeyConditionExpression: 'principal = :principal',
  ExpressionAttributeValues: { ':principal': { S: 'user#Ökobaum 水' } },
  ProjectionExpression: 'sortKey',
  ExpressionAttributeNames: {},
};
const region = 'eu-central-1';
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const { signal } = new AbortController();

describe('a Query', () => {
  let requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
  let connections = 0;
  let respond: (response: ServerResponse) => void;
  let endpoint: string;
  let query: DynamoDbClient['query'];

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ request, body });
      respond(response);
    });
  }).on('connection', () => {
    connections += 1;
  });
  const succeed = (response: ServerResponse): void => {
    response.end('{"Items":[]}');
  };

  beforeAll(async () => {
    endpoint = await startServer(server);
  });
  afterAll(() => stopServer(server));
  beforeEach(() => {
    requests = [];
    connections = 0;
    respond = succeed;
    ({ query } = dynamoDbClient({ region, credentials, endpoint }));
  });

  it('is sent in DynamoDB’s protocol', async () => {
    await query(input, signal);
    const [{ request, body } = {}] = requests;
    expect(JSON.parse(body ?? '')).toEqual(input);
    expect([request?.method, request?.url]).toEqual(['POST', '/']);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.Query',
      host: endpoint.replace('http://', ''),
    });
  });

  it('is signed for the region and DynamoDB', async () => {
    await query(input, signal);
    const { authorization, ...headers } = requests[0]?.request.headers ?? {};
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/,
    );
    expect(headers['x-amz-date']).toMatch(/^\d{8}T\d{6}Z$/);
    expect(headers).not.toHaveProperty('x-amz-security-token');
  });

  it('carries the session token of the credentials', async () => {
    const session = { ...credentials, sessionToken: 'session' };
    await dynamoDbClient({ region, credentials: session, endpoint }).query(input, signal);
    expect(requests[0]?.request.headers).toHaveProperty('x-amz-security-token', 'session');
  });

  it('reuses the connection of the previous Query', async () => {
    for (let count = 0; count < 3; count += 1) await query(input, signal);
    expect([requests.length, connections]).toEqual([3, 1]);
  });

  it('can be sent concurrently with a hundred others over 8 connections, without a warning', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error): void => {
      warnings.push(warning);
    };
    process.on('warning', collect);
    let held: ServerResponse[] = [];
    // Responds when all requests have arrived that the connections can carry.
    respond = (response) => {
      held.push(response);
      if (held.length < 8 && requests.length < 101) return;
      held.forEach(succeed);
      held = [];
    };
    await Promise.all(Array.from({ length: 101 }, () => query(input, signal)));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', collect);
    expect(warnings).toEqual([]);
    expect([requests.length, connections]).toEqual([101, 8]);
  });

  it('may wait longer for a connection than a response may take', async () => {
    const bounds = { ...storeBounds, connections: 1, attempts: 1, requestTimeout: 500 };
    ({ query } = dynamoDbClient({ region, credentials, endpoint, bounds }));
    respond = (response) => setTimeout(() => response.end('{"Items":[]}'), 200);
    const outputs = await Promise.all(Array.from({ length: 4 }, () => query(input, signal)));
    expect(outputs).toHaveLength(4);
  });

  it('fails when the response is late', async () => {
    const bounds = { ...storeBounds, attempts: 1, requestTimeout: 50 };
    ({ query } = dynamoDbClient({ region, credentials, endpoint, bounds }));
    respond = () => undefined;
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError('Timeout', true));
  });

  it('fails when the TLS handshake is late', async () => {
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const port = String(z.object({ port: z.int() }).parse(silent.address()).port);
    const bounds = { ...storeBounds, attempts: 1, requestTimeout: 50 };
    const client = dynamoDbClient({ region, credentials, endpoint: `https://127.0.0.1:${port}`, bounds });
    await expect(client.query(input, signal)).rejects.toThrow(new DynamoDbError('Timeout', true));
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('succeeds over a new connection when no reused connection responds', async () => {
    const silent = new Set<unknown>();
    const held: ServerResponse[] = [];
    respond = (response) => {
      silent.add(response.socket);
      held.push(response);
      if (held.length === storeBounds.attempts) held.forEach(succeed);
    };
    await Promise.all(Array.from({ length: storeBounds.attempts }, () => query(input, signal)));
    respond = (response) => {
      if (!silent.has(response.socket)) succeed(response);
    };
    expect(await query(input, signal)).toEqual({ Items: [] });
  });

  it('is sent again at once, and as no attempt, when the store closed the kept connection', async () => {
    ({ query } = dynamoDbClient({ region, credentials, endpoint, bounds: { ...storeBounds, attempts: 1 } }));
    const used = new WeakSet<Socket>();
    respond = (response) => {
      const { socket } = response;
      if (socket === null || used.has(socket)) {
        socket?.destroy();
        return;
      }
      used.add(socket);
      succeed(response);
    };
    for (let count = 0; count < 3; count += 1) expect(await query(input, signal)).toEqual({ Items: [] });
    expect([requests.length, connections]).toEqual([5, 3]);
  });

  it('is sent four times at most when the store closes each connection without a response', async () => {
    await query(input, signal);
    requests = [];
    respond = ({ socket }) => void socket?.destroy();
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError('ECONNRESET', true));
    expect(requests).toHaveLength(4);
  });

  it('fails when the response does not end', async () => {
    respond = (response) => {
      const send = (): void => {
        if (response.destroyed) return;
        response.write(' '.repeat(65_536));
        setImmediate(send);
      };
      send();
    };
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError('TooLarge', true));
  });

  it('is sent again, unchanged, after a transient failure', async () => {
    respond = (response) => {
      respond = succeed;
      response.writeHead(500).end();
    };
    expect(await query(input, signal)).toEqual({ Items: [] });
    expect(requests.map(({ body }) => body)).toEqual([JSON.stringify(input), JSON.stringify(input)]);
  });

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['Status500', 'the store fails', (response) => response.writeHead(500).end()],
    ['NoItems', 'the response has no items', (response) => response.end('{}')],
    ['ECONNRESET', 'the store closes the connection', ({ socket }) => void socket?.destroy()],
    [
      'ECONNRESET',
      'the store closes the connection during the response',
      (response) => {
        response
          .writeHead(200, { 'content-length': '12' })
          .write('{"Items":', () => response.socket?.destroy());
      },
    ],
  ])('fails after three attempts, with %s, when %s', async (code, _, fail) => {
    respond = fail;
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError(code, true));
    expect(requests).toHaveLength(3);
  });

  it('fails when the store responds with another protocol', async () => {
    respond = ({ socket }) => {
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    };
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError('Closed', true));
  });

  it('fails when the store refuses the connection', async () => {
    const unreachable = dynamoDbClient({ region, credentials, endpoint: await unusedUrl() });
    const failure = new DynamoDbError('ECONNREFUSED', true);
    await expect(unreachable.query(input, signal)).rejects.toThrow(failure);
  });

  it('is sent once when the error is permanent', async () => {
    respond = (response) => response.writeHead(400).end('{"__type":"x#ValidationException"}');
    await expect(query(input, signal)).rejects.toThrow(new DynamoDbError('ValidationException', false));
    expect(requests).toHaveLength(1);
  });

  it('is not sent when its signal is already aborted', async () => {
    await expect(query(input, AbortSignal.abort())).rejects.toThrow();
    expect(requests).toHaveLength(0);
  });

  it('is not sent again when its signal aborts before the response', async () => {
    const caller = new AbortController();
    respond = () => {
      caller.abort();
    };
    await expect(query(input, caller.signal)).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  it('is not sent again when its signal aborts between two attempts', async () => {
    const jitter = vi.spyOn(Math, 'random').mockReturnValue(1);
    const caller = new AbortController();
    respond = (response) => {
      response.writeHead(400).end('{"__type":"ThrottlingException"}');
      setTimeout(() => {
        caller.abort();
      }, 50);
    };
    await expect(query(input, caller.signal)).rejects.toThrow();
    jitter.mockRestore();
    expect(requests).toHaveLength(1);
  });
});
