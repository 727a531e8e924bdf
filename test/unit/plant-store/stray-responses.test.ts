import { createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { textOf } from '../../../table/item.ts';
import { startServer } from '../../support/loopback-server.ts';
import { queryAt } from './store-server.ts';

/** A response of at least this size, with one item that has this text. */
const responseOf = (text: string, size = 0): string => {
  const body = `{"Items":[{"text":{"S":"${text}"}}]}`;
  const head = (length: number): string => `HTTP/1.1 200 OK\r\ncontent-length: ${String(length)}\r\n\r\n`;
  const padded = body.padStart(size - head(size).length);
  return head(padded.length) + padded;
};
const stray = responseOf('stray');
const startOfResponse = 'HTTP/1.1 20';

/** The most bytes that Node.js reads from a connection at once. */
const readSize = 65_536;

const sockets: Socket[] = [];
/** How the store responds to the first requests. The response to a later one has the request's number. */
let planned: ((socket: Socket) => unknown)[] = [];
let requests = 0;
const server = createServer((socket) => {
  sockets.push(socket);
  socket
    .on('error', () => undefined)
    .on('data', () => {
      requests += 1;
      const respond = planned.shift();
      if (respond) respond(socket);
      else socket.write(responseOf(String(requests)));
    });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  requests = 0;
  await new Promise((resolve) => server.close(resolve));
});

/** Starts the store. The result sends a Query through one client, and returns the text of its item. */
const startQuery = async (connections: number, ...responses: typeof planned) => {
  planned = responses;
  // A resend does not count as an attempt.
  const query = queryAt(await startServer(server), { connections, attempts: 1 });
  return async () => textOf((await query()).Items[0]?.['text']);
};
const write = (text: string) => (socket: Socket) => socket.write(text);

it.each([
  ['a whole response in the same segment', responseOf('1') + stray],
  ['the start of a response in the same segment', responseOf('1') + startOfResponse],
  ['an empty line in the same segment', `${responseOf('1')}\r\n`],
  ['a whole response in the next read', responseOf('1', readSize) + stray],
])('closes a connection with unrequested bytes after a response: %s', async (_, text) => {
  const query = await startQuery(8, write(text));
  expect([await query(), await query(), await query(), sockets.length]).toEqual(['1', '2', '3', 2]);
});

it('closes a connection with unrequested bytes when a Query waits for it', async () => {
  const query = await startQuery(1, write(responseOf('1', readSize) + stray));
  // The second Query is sent again, after the third.
  const texts = await Promise.all([query(), query(), query()]);
  expect([texts.toSorted(), sockets.length]).toEqual([['1', '2', '3'], 2]);
});

it.each([
  ['a whole response', stray],
  ['the start of a response', startOfResponse],
])('closes a connection when unrequested bytes arrive before the next Query: %s', async (_, text) => {
  const query = await startQuery(8);
  const first = await query();
  // The bytes are in the system's buffer, and the client has not read them.
  sockets[0]?.write(text);
  expect([first, await query(), await query(), sockets.length]).toEqual(['1', '2', '3', 2]);
});

it('closes a connection when unrequested bytes arrive while it is idle', async () => {
  const query = await startQuery(8);
  const first = await query();
  const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
  sockets[0]?.write(stray);
  await closed;
  expect([first, await query(), sockets.length]).toEqual(['1', '2', 2]);
});

it('keeps a connection when each response ends where its body ends', async () => {
  // The body in two parts, the second of which is one byte.
  const inParts = (socket: Socket) => {
    const text = responseOf('good');
    socket.write(text.slice(0, -1), () => setImmediate(() => socket.write(text.slice(-1))));
  };
  const query = await startQuery(8, inParts, inParts, inParts);
  for (let count = 0; count < 3; count += 1) expect(await query()).toBe('good');
  expect(sockets).toHaveLength(1);
});
