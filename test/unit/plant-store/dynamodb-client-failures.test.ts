import { createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { DynamoDbError } from '../../../functions/plant-store/query.ts';
import { startServer, unusedUrl } from '../../support/loopback-server.ts';
import { closeReused, input, queryAt, type Response, storeServer } from './store-server.ts';

const store = storeServer();
const shortTimeout = { attempts: 1, requestTimeout: 50 };

const disconnect: Response = ({ socket }) => socket?.destroy();
const cutOff: Response = (response) => {
  const started = response.writeHead(200, { 'content-length': '12' });
  started.write('{"Items":', () => response.socket?.destroy());
};
const refuse: Response = (response) => response.writeHead(400).end('{"__type":"x#ValidationException"}');
const upgrade: Response = ({ socket }) =>
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
const sendWithoutEnd: Response = (response) => {
  const send = (): void => {
    if (response.destroyed) return;
    response.write(' '.repeat(65_536));
    setImmediate(send);
  };
  send();
};

it.each<[times: number, code: string, what: string, respond: Response, order: 'first' | 'later']>([
  [3, 'Status500', 'fails', (response) => response.writeHead(500).end(), 'later'],
  [3, 'NoItems', 'responds without items', (response) => response.end('{}'), 'later'],
  [3, 'ECONNRESET', 'closes each new connection', disconnect, 'first'],
  [4, 'ECONNRESET', 'closes each connection, also the kept one', disconnect, 'later'],
  [3, 'ECONNRESET', 'closes the connection during the response', cutOff, 'later'],
  [1, 'ValidationException', 'refuses it', refuse, 'later'],
])('sends a Query %i times, and fails with %s, when the store %s', async (times, code, _, respond, order) => {
  const query = queryAt(store.url);
  if (order === 'later') await query();
  Object.assign(store, { respond, requests: [] });
  await expect(query()).rejects.toMatchObject({ code, transient: code !== 'ValidationException' });
  expect(store.requests.map(({ body }) => body)).toEqual(Array(times).fill(JSON.stringify(input)));
});

it('resends a Query once, and fails when the other kept connection is closed too', async () => {
  const query = queryAt(store.url, { connections: 1, attempts: 1 });
  store.respond = closeReused();
  await query();
  // The first Query is resent after the second, over the connection that the second opened.
  const outcomes = await Promise.allSettled([query(), query()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(store.requests).toHaveLength(4);
});

it.each<[code: string, what: string, respond: Response]>([
  ['Timeout', 'does not respond', () => undefined],
  ['TooLarge', 'responds without end', sendWithoutEnd],
  ['Closed', 'responds with another protocol', upgrade],
])('fails with %s when the store %s', async (code, _, respond) => {
  store.respond = respond;
  const bounds = code === 'Timeout' ? shortTimeout : { attempts: 1, requestTimeout: 60_000 };
  await expect(queryAt(store.url, bounds)()).rejects.toThrow(new DynamoDbError(code, true));
});

it('fails when the store refuses the connection, or does not complete the TLS handshake', async () => {
  const refused = new DynamoDbError('ECONNREFUSED', true);
  await expect(queryAt(await unusedUrl())()).rejects.toThrow(refused);
  const silent = createServer();
  const secure = (await startServer(silent)).replace('http:', 'https:');
  await expect(queryAt(secure, shortTimeout)()).rejects.toThrow(new DynamoDbError('Timeout', true));
  silent.close();
});

it('neither sends nor retries a Query after its signal aborts', async () => {
  const aborted = new DynamoDbError('Aborted', true);
  await expect(queryAt(store.url)(AbortSignal.abort())).rejects.toThrow(aborted);
  expect(store.requests).toHaveLength(0);
  const duringResponse = new AbortController();
  store.respond = () => {
    duringResponse.abort();
  };
  await expect(queryAt(store.url)(duringResponse.signal)).rejects.toThrow(aborted);
  expect(store.requests).toHaveLength(1);

  const jitter = vi.spyOn(Math, 'random').mockReturnValue(1);
  const betweenAttempts = new AbortController();
  // Longer than the test may take.
  const query = queryAt(store.url, { backoff: { failed: 3_600_000, throttled: 3_600_000 } });
  store.respond = (response) => {
    response.writeHead(400).end('{"__type":"ThrottlingException"}');
    setTimeout(() => {
      betweenAttempts.abort();
    }, 50);
  };
  await expect(query(betweenAttempts.signal)).rejects.toThrow();
  jitter.mockRestore();
  expect(store.requests).toHaveLength(2);
});
