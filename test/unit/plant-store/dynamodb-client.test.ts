import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { dynamoDbClient, storeBounds } from '../../../functions/plant-store/dynamodb-client.ts';
import { DynamoDbError, type QueryOutput } from '../../../functions/plant-store/query.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';

const input = {
  TableName: 'Plants',
  KeyConditionExpression: 'principal = :principal',
  ExpressionAttributeValues: { ':principal': { S: 'user#Ökobaum 水' } },
  ProjectionExpression: 'sortKey',
  ExpressionAttributeNames: {},
  Limit: 1,
};
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
const late = { attempts: 1, requestTimeout: 50 };

describe('a Query', () => {
  let requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
  let connections = 0;
  let respond: (response: ServerResponse) => void;
  let url: string;
  let query: (signal?: AbortSignal) => Promise<QueryOutput>;

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ request, body });
      respond(response);
    });
  }).on('connection', () => {
    connections += 1;
  });
  const succeed = (response: ServerResponse): void => void response.end('{"Items":[]}');
  const disconnect = ({ socket }: ServerResponse): void => void socket?.destroy();
  const cutOff = (response: ServerResponse): void => {
    const started = response.writeHead(200, { 'content-length': '12' });
    started.write('{"Items":', () => void response.socket?.destroy());
  };
  const refuse = (response: ServerResponse): void =>
    void response.writeHead(400).end('{"__type":"x#ValidationException"}');
  /** A Query through a new client. */
  const clientWith = (bounds: Partial<typeof storeBounds> = {}, endpoint = url): typeof query => {
    const options = { region: 'eu-central-1', credentials: keys, endpoint };
    const client = dynamoDbClient({ ...options, bounds: { ...storeBounds, ...bounds } });
    return (signal = new AbortController().signal) => client.query(input, signal);
  };

  beforeAll(async () => {
    url = await startServer(server);
  });
  afterAll(() => stopServer(server));
  beforeEach(() => {
    requests = [];
    connections = 0;
    respond = succeed;
    query = clientWith();
  });

  it('leaves no timer and no listener behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { signal } = new AbortController();
    // The connection that is kept has a timer of its own.
    await query(signal);
    const before = timers();
    for (let count = 0; count < 3; count += 1) await query(signal);
    await new Promise((resolve) => setImmediate(resolve));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('is sent in DynamoDB’s protocol, signed, over the connection of the previous one', async () => {
    for (let count = 0; count < 3; count += 1) expect(await query()).toEqual({ Items: [] });
    expect([requests.length, connections]).toEqual([3, 1]);
    const [{ request, body } = {}] = requests;
    expect(JSON.parse(body ?? '')).toEqual(input);
    expect([request?.method, request?.url]).toEqual(['POST', '/']);
    expect(request?.headers.authorization).toContain('AKIDEXAMPLE');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.Query',
      'x-amz-security-token': 'session',
      host: url.replace('http://', ''),
    });
  });

  it('can be sent concurrently with a hundred others over 8 connections, without a warning', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error): void => void warnings.push(warning);
    process.on('warning', collect);
    let held: ServerResponse[] = [];
    // Responds when all requests have arrived that the connections can carry.
    respond = (response) => {
      held.push(response);
      if (held.length < 8 && requests.length < 101) return;
      held.forEach(succeed);
      held = [];
    };
    // They share a signal, which must not keep a listener of each.
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 101 }, () => query(signal)));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', collect);
    expect([warnings, requests.length, connections]).toEqual([[], 101, 8]);
  });

  it('succeeds when its response ends with the connection', async () => {
    respond = ({ socket }) => {
      socket?.end('HTTP/1.1 200 OK\r\n\r\n{"Items":[]}');
    };
    expect(await query()).toEqual({ Items: [] });
  });

  it('may wait longer for a connection than a response may take', async () => {
    query = clientWith({ connections: 1, attempts: 1, requestTimeout: 500 });
    respond = (response) => setTimeout(succeed, 200, response);
    expect(await Promise.all([query(), query(), query(), query()])).toHaveLength(4);
  });

  it('succeeds over a new connection when no reused connection responds', async () => {
    const silent = new Set<unknown>();
    const held: ServerResponse[] = [];
    respond = (response) => {
      silent.add(response.socket);
      held.push(response);
      if (held.length === storeBounds.attempts) held.forEach(succeed);
    };
    await Promise.all(Array.from({ length: storeBounds.attempts }, () => query()));
    respond = (response) => {
      if (!silent.has(response.socket)) succeed(response);
    };
    expect(await query()).toEqual({ Items: [] });
  });

  it('is sent again at once, and as no attempt, when the store closed the kept connection', async () => {
    query = clientWith({ attempts: 1 });
    const used = new WeakSet();
    respond = (response) => {
      if (response.socket === null || used.has(response.socket)) {
        disconnect(response);
        return;
      }
      used.add(response.socket);
      succeed(response);
    };
    for (let count = 0; count < 3; count += 1) expect(await query()).toEqual({ Items: [] });
    expect([requests.length, connections]).toEqual([5, 3]);
  });

  it.each<[number, string, string, (response: ServerResponse) => void, isNew?: boolean]>([
    [3, 'Status500', 'fails', (response) => response.writeHead(500).end()],
    [3, 'NoItems', 'responds without items', (response) => response.end('{}')],
    [3, 'ECONNRESET', 'closes each new connection', disconnect, true],
    [4, 'ECONNRESET', 'closes each connection, first the kept one', disconnect],
    [3, 'ECONNRESET', 'closes the connection during the response', cutOff],
    [1, 'ValidationException', 'refuses it', refuse],
  ])(
    'is sent %i times, unchanged, and fails with %s when the store %s',
    async (times, code, _, fail, isNew) => {
      if (isNew !== true) await query();
      requests = [];
      respond = fail;
      const transient = code !== 'ValidationException';
      await expect(query()).rejects.toMatchObject({ code, transient });
      expect(requests.map(({ body }) => body)).toEqual(Array(times).fill(JSON.stringify(input)));
    },
  );

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['Timeout', 'does not respond', () => undefined],
    [
      'TooLarge',
      'responds without end',
      (response) => {
        const send = (): void => {
          if (response.destroyed) return;
          response.write(' '.repeat(65_536));
          setImmediate(send);
        };
        send();
      },
    ],
    [
      'Closed',
      'responds with another protocol',
      ({ socket }) => {
        socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
      },
    ],
  ])('fails with %s when the store %s', async (code, _, fail) => {
    respond = fail;
    const bounds = code === 'Timeout' ? late : { attempts: 1, requestTimeout: 60_000 };
    await expect(clientWith(bounds)()).rejects.toThrow(new DynamoDbError(code, true));
  });

  it('fails when the store refuses the connection, or is late with the TLS handshake', async () => {
    await expect(clientWith({}, await unusedUrl())()).rejects.toThrow(
      new DynamoDbError('ECONNREFUSED', true),
    );
    const silent = createTcpServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = z.object({ port: z.int() }).parse(silent.address());
    const secure = `https://127.0.0.1:${String(port)}`;
    await expect(clientWith(late, secure)()).rejects.toThrow(new DynamoDbError('Timeout', true));
    silent.close();
  });

  it('keeps its connection when its signal aborts after it has succeeded', async () => {
    for (let count = 0; count < 50; count += 1) {
      const request = new AbortController();
      await query(request.signal);
      request.abort();
    }
    expect(connections).toBe(1);
  });

  it('is not sent, or not sent again, after its signal aborts', async () => {
    const aborted = new DynamoDbError('Aborted', true);
    await expect(query(AbortSignal.abort())).rejects.toThrow(aborted);
    expect(requests).toHaveLength(0);
    const duringResponse = new AbortController();
    respond = () => {
      duringResponse.abort();
    };
    await expect(query(duringResponse.signal)).rejects.toThrow(aborted);
    expect(requests).toHaveLength(1);

    const jitter = vi.spyOn(Math, 'random').mockReturnValue(1);
    const betweenAttempts = new AbortController();
    // Longer than the test may take.
    query = clientWith({ backoff: { failed: 3_600_000, throttled: 3_600_000 } });
    respond = (response) => {
      response.writeHead(400).end('{"__type":"ThrottlingException"}');
      setTimeout(() => {
        betweenAttempts.abort();
      }, 50);
    };
    await expect(query(betweenAttempts.signal)).rejects.toThrow();
    jitter.mockRestore();
    expect(requests).toHaveLength(2);
  });
});
