import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dynamoDbClient, storeBounds } from '../../../functions/plant-store/dynamodb-client.ts';
import { textOf } from '../../../table/item.ts';

const input = {
  TableName: 'Plants',
  KeyConditionExpression: 'principal = :principal',
  ExpressionAttributeValues: { ':principal': { S: 'user#alice' } },
  ProjectionExpression: 'sortKey',
  ExpressionAttributeNames: {},
  Limit: 1,
};
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
const { signal } = new AbortController();

/** A response with one item, which says what it is, in at least so many bytes. */
const responseOf = (text: string, size = 0): string => {
  const body = `{"Items":[{"text":{"S":"${text}"}}]}`;
  const head = (length: number): string => `HTTP/1.1 200 OK\r\ncontent-length: ${String(length)}\r\n\r\n`;
  const padded = body.padStart(size - head(size).length);
  return head(padded.length) + padded;
};
const stray = responseOf('stray');
const started = async (server: Server): Promise<string> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return `http://127.0.0.1:${String(port)}`;
};

/** What Node reads of a connection at once. */
const readSize = 65_536;

describe('a response that belongs to no request', () => {
  const sockets: Socket[] = [];
  let requests = 0;
  /** What the store sends for the first request; each further one gets its response alone. */
  let first = '';
  const server = createServer((socket) => {
    sockets.push(socket);
    socket
      .on('error', () => undefined)
      .on('data', () => {
        requests += 1;
        socket.write(requests === 1 ? first : responseOf(String(requests)));
      });
  });

  /** A Query through a new client, to a store that responds to the first one in this way. */
  const clientOf = async (toFirst: string, connections = storeBounds.connections) => {
    first = toFirst;
    const endpoint = await started(server);
    // Sending a Query again is no attempt.
    const bounds = { ...storeBounds, connections, attempts: 1 };
    const client = dynamoDbClient({ region: 'eu-central-1', credentials, endpoint, bounds });
    return async (): Promise<string | undefined> =>
      textOf((await client.query(input, signal)).Items[0]?.['text']);
  };

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    requests = 0;
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ['a whole one', stray],
    ['the start of one', 'HTTP/1.1 20'],
    ['an empty line', '\r\n'],
  ])('ends its connection when it follows in the same segment: %s', async (_, more) => {
    const query = await clientOf(responseOf('1') + more);
    expect([await query(), await query(), await query(), sockets.length]).toEqual(['1', '2', '3', 2]);
  });

  it('ends its connection when it follows in the next read, also with a Query that waits for the connection', async () => {
    const query = await clientOf(responseOf('1', readSize) + stray, 1);
    const answers = await Promise.all([query(), query(), query()]);
    // The second Query is sent again, after the third.
    expect(answers.toSorted()).toEqual(['1', '2', '3']);
    expect(sockets).toHaveLength(2);
  });

  it('ends its connection when it follows in the next read, and another Query is sent at once', async () => {
    const query = await clientOf(responseOf('1', readSize) + stray);
    expect([await query(), await query(), await query(), sockets.length]).toEqual(['1', '2', '3', 2]);
  });

  it.each([
    ['a whole one', stray],
    ['the start of one', 'HTTP/1.1 20'],
  ])('ends its connection when it has arrived before the next Query is sent: %s', async (_, sent) => {
    const query = await clientOf(responseOf('1'));
    const answers = [await query()];
    // It is in the buffer of the system, and the client has not read it.
    sockets[0]?.write(sent);
    answers.push(await query(), await query());
    expect([answers, sockets.length]).toEqual([['1', '2', '3'], 2]);
  });

  it('ends its connection when it arrives while the connection is idle', async () => {
    const query = await clientOf(responseOf('1'));
    const answers = [await query()];
    const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
    sockets[0]?.write(stray);
    await closed;
    answers.push(await query());
    expect([answers, sockets.length]).toEqual([['1', '2'], 2]);
  });
});

it('a connection is kept when each response ends where its body ends', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', () => {
      const text = responseOf('good');
      // The body in two parts, the second of which is one byte.
      socket.write(text.slice(0, -1), () => setImmediate(() => socket.write(text.slice(-1))));
    });
  });
  const endpoint = await started(server);
  const { query } = dynamoDbClient({ region: 'eu-central-1', credentials, endpoint });
  for (let count = 0; count < 3; count += 1) await query(input, signal);
  expect(connections).toBe(1);
  server.close();
});
