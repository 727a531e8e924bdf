import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DynamoDbClient, dynamoDbClient, storeBounds } from '../../../functions/dynamodb/client.ts';
import { type Action, DynamoDbError } from '../../../functions/dynamodb/protocol.ts';
import { query as queryAction, type QueryOutput } from '../../../functions/dynamodb/query.ts';
import { isJsonObject } from '../../../functions/runtime/json-object.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const input = {
  TableName: 'Plants',
  KeyConditionExpression: 'principal = :principal',
  ExpressionAttributeValues: { ':principal': { S: 'user#Ökobaum 水' } },
  ProjectionExpression: 'sortKey',
  ExpressionAttributeNames: {},
  Limit: 1,
};

const clientAt = (endpoint: string, bounds: Partial<typeof storeBounds> = {}): DynamoDbClient => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
  const options = { region: 'eu-central-1', credentials, endpoint };
  return dynamoDbClient(options, { ...storeBounds, ...bounds });
};

/** Queries through a new client for this store. */
const queryAt = (endpoint: string, bounds: Partial<typeof storeBounds> = {}) => {
  const client = clientAt(endpoint, bounds);
  return (signal = new AbortController().signal): Promise<QueryOutput> =>
    client.send(queryAction, input, signal);
};

type Response = (response: ServerResponse) => unknown;
const succeed: Response = (response) => response.end('{"Items":[]}');

let respond: Response;
let requests: { readonly request: IncomingMessage; readonly body: string }[];
let connections: number;
let url: string;
const server = createServer((request, response) => {
  void text(request).then((body) => {
    requests.push({ request, body });
    respond(response);
  });
}).on('connection', () => {
  connections += 1;
});
beforeAll(async () => {
  url = await startServer(server);
});
afterAll(() => stopServer(server));
beforeEach(() => {
  respond = succeed;
  requests = [];
  connections = 0;
});

const once = { attempts: 1, requestTimeout: 60_000 };
const shortTimeout = { attempts: 1, requestTimeout: 50 };

describe('a Query', () => {
  it('is sent signed in DynamoDB’s protocol, over the connection of the previous Query', async () => {
    const query = queryAt(url);
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

  it('leaves no timer and no listener behind, and an abort after the response has no effect', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const query = queryAt(url);
    // The kept connection has its own timer.
    await query();
    const before = timers();
    for (let count = 0; count < 3; count += 1) {
      const request = new AbortController();
      await query(request.signal);
      expect(getEventListeners(request.signal, 'abort')).toEqual([]);
      request.abort();
    }
    expect(timers()).toBeLessThanOrEqual(before);
    expect(connections).toBe(1);
  });

  // Makes one silent connection for each attempt. If the first timeout left the others open, each attempt
  // would use a silent one.
  it('closes all kept connections after a timeout, so that the next attempt uses a new one', async () => {
    const query = queryAt(url, { requestTimeout: 500 });
    const silent = new Set<unknown>();
    const held: ServerResponse[] = [];
    respond = (response) => {
      silent.add(response.socket);
      held.push(response);
      if (held.length === storeBounds.attempts) held.forEach(succeed);
    };
    await Promise.all(Array.from({ length: storeBounds.attempts }, () => query()));
    respond = (response) => silent.has(response.socket) || succeed(response);
    expect(await query()).toEqual({ Items: [] });
  });

  it('is sent again at once, without counting an attempt, when its kept connection was closed', async () => {
    const query = queryAt(url, { attempts: 1 });
    const used = new Set<unknown>();
    respond = (response) => {
      if (used.has(response.socket)) response.socket?.destroy();
      else succeed(response);
      used.add(response.socket);
    };
    for (let count = 0; count < 3; count += 1) expect(await query()).toEqual({ Items: [] });
    expect([requests.length, connections]).toEqual([5, 3]);
  });
});

describe('an action other than Query', () => {
  const deletion: Action<{ readonly id: string }, string> = {
    name: 'DeleteItem',
    parseOutput: (output, { id }) => {
      if (!isJsonObject(output)) throw new DynamoDbError('NoObject', { transient: true });
      return `${id} ${Object.keys(output).join()}`;
    },
  };
  const remove = (): Promise<string> =>
    clientAt(url, { backoff: { failed: 1, throttled: 1 } }).send(
      deletion,
      { id: '1' },
      new AbortController().signal,
    );

  it('is sent under its own name, and resolves with its own output', async () => {
    respond = (response) => response.end('{"Attributes":{}}');
    expect(await remove()).toBe('1 Attributes');
    const [{ request, body } = {}] = requests;
    expect([request?.headers['x-amz-target'], body]).toEqual(['DynamoDB_20120810.DeleteItem', '{"id":"1"}']);
  });

  it.each<[what: string, response: Response]>([
    ['a transient failure', (response) => response.writeHead(500).end('{}')],
    ['its kept connection was closed', (response) => response.socket?.destroy()],
  ])('is not sent again after %s if it must be sent once', async (_, response) => {
    const client = clientAt(url);
    const send = () =>
      client.send({ ...deletion, isSentOnce: true }, { id: '1' }, new AbortController().signal);
    respond = (first) => first.end('{}');
    await send();
    respond = response;
    await expect(send()).rejects.toMatchObject({ transient: true });
    expect(requests).toHaveLength(2);
  });

  it('is sent again when its output is malformed', async () => {
    respond = (response) => response.end(requests.length === 1 ? '[]' : '{"Attributes":{}}');
    expect(await remove()).toBe('1 Attributes');
    expect(requests).toHaveLength(2);
  });
});

const disconnect: Response = ({ socket }) => socket?.destroy();
const cutOff: Response = (response) => {
  const started = response.writeHead(200, { 'content-length': '12' });
  started.write('{"Items":', () => response.socket?.destroy());
};
const fail =
  (status: number, type: string): Response =>
  (response) =>
    response.writeHead(status).end(`{"__type":"x#${type}"}`);
it.each([
  ['throttles', fail(400, 'ThrottlingException')],
  ['has an error', fail(500, 'InternalServerError')],
])('connections are kept when the store %s', async (_, response) => {
  const query = queryAt(url, { attempts: 1 });
  await query();
  respond = response;
  await expect(query()).rejects.toThrow();
  await expect(query()).rejects.toThrow();
  expect(connections).toBe(1);
});

describe('a Query fails', () => {
  it.each<[code: string, sent: number, what: string, response: Response]>([
    ['InternalServerError', 3, 'has an error', fail(500, 'InternalServerError')],
    ['ThrottlingException', 3, 'throttles', fail(400, 'ThrottlingException')],
    ['SyntaxError', 3, 'responds with HTML', (response) => response.end('<html>Rose</html>')],
    ['ECONNRESET', 4, 'closes the kept connection and all new ones', disconnect],
    ['ECONNRESET', 3, 'closes the connection during the response', cutOff],
    ['ValidationException', 1, 'rejects the Query', fail(400, 'ValidationException')],
  ])('with %s after it was sent %i times, when the store %s', async (code, sent, _, response) => {
    const query = queryAt(url, { backoff: { failed: 1, throttled: 1 } });
    await query();
    [respond, requests] = [response, []];
    await expect(query()).rejects.toThrow(
      new DynamoDbError(code, { transient: code !== 'ValidationException' }),
    );
    expect(requests.map(({ body }) => body)).toEqual(Array(sent).fill(JSON.stringify(input)));
  });

  it('with Timeout when the store does not respond, or stops within a response', async () => {
    const timeout = new DynamoDbError('Timeout', { transient: true });
    respond = () => undefined;
    await expect(queryAt(url, shortTimeout)()).rejects.toThrow(timeout);
    respond = (response) => response.writeHead(200).write('{"Items":');
    await expect(queryAt(url, shortTimeout)()).rejects.toThrow(timeout);
  });

  it('with TooLarge when the response has more than 16 MB', async () => {
    respond = (response) => response.end(' '.repeat(17 * 1024 * 1024));
    await expect(queryAt(url, once)()).rejects.toThrow(new DynamoDbError('TooLarge', { transient: true }));
  });

  it('when the store at an https address has no TLS', async () => {
    await expect(queryAt(url.replace('http:', 'https:'), once)()).rejects.toThrow(/SSL|EPROTO/);
  });

  it('and is not sent again after its signal aborts, during a response or between attempts', async () => {
    const duringResponse = new AbortController();
    respond = () => {
      duringResponse.abort();
    };
    await expect(queryAt(url, once)(duringResponse.signal)).rejects.toThrow('Aborted');
    await expect(queryAt(url)(AbortSignal.abort())).rejects.toThrow();
    expect(requests).toHaveLength(1);

    const jitter = vi.spyOn(Math, 'random').mockReturnValue(1);
    const betweenAttempts = new AbortController();
    // The backoff after throttling is longer than the test's timeout, so only the abort can end the Query.
    const query = queryAt(url, { backoff: { failed: 0, throttled: 3_600_000 } });
    respond = (response) => {
      fail(400, 'ThrottlingException')(response);
      setTimeout(() => {
        betweenAttempts.abort();
      }, 50);
    };
    await expect(query(betweenAttempts.signal)).rejects.toThrow();
    expect(jitter).toHaveBeenCalled();
    jitter.mockRestore();
    expect(requests).toHaveLength(2);
  });
});
