import { createServer, type RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fetchJwks } from '../../../functions/authorizer/jwks.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';

let listener: RequestListener;
const connected = vi.fn();
const server = createServer((request, response) => {
  listener(request, response);
}).on('connection', connected);
let origin: string;
beforeAll(async () => {
  origin = await startServer(server);
});
afterAll(() => stopServer(server));

const respondingWith =
  (status: number, body: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { location: `${origin}/else` }).end(body);
  };
const ofSize = (bytes: number): string => `{"keys":"${'x'.repeat(bytes - '{"keys":""}'.length)}"}`;
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('requests the key set as JSON, over a new connection each time', async () => {
  const requests: unknown[] = [];
  listener = ({ method, url, headers: { accept } }, response) => {
    requests.push([method, url, accept]);
    response.write('{"keys"');
    response.end(':[]}');
  };
  for (let count = 0; count < 2; count += 1) {
    expect(await fetchJwks(`${origin}/keys`)).toEqual({ keys: [] });
  }
  expect(requests).toEqual(Array(2).fill(['GET', '/keys', 'application/json']));
  expect(connected).toHaveBeenCalledTimes(2);
});

it('accepts a key set of 512 KB', async () => {
  listener = respondingWith(200, ofSize(512 * 1024));
  expect(await fetchJwks(origin)).toHaveProperty('keys');
});

it.each<[what: string, response: RequestListener, message: string]>([
  ...[204, 301, 500].map((status): [string, RequestListener, string] => [
    `has status ${String(status)}`,
    respondingWith(status, '{"keys":[]}'),
    `Status${String(status)}`,
  ]),
  ['is empty', respondingWith(200, ''), 'JSON'],
  ['is a list', respondingWith(200, '[]'), 'JSON'],
  ['exceeds 512 KB and does not end', (_, response) => response.write(ofSize(512 * 1024 + 1)), 'TooLarge'],
  ['never starts', () => undefined, 'Timeout'],
  ['never ends', (_, response) => response.writeHead(200).write('{"keys":'), 'Timeout'],
  ['does not start before the connection closes', ({ socket }) => socket.destroy(), 'hang up'],
  [
    'is cut off',
    ({ socket }, response) => {
      response.writeHead(200, { 'content-length': '11' }).write('{"keys":', () => socket.destroy());
    },
    'aborted',
  ],
])('fails when the response %s, and leaves neither timer nor connection', async (_, respond, message) => {
  listener = respond;
  const before = timers();
  await expect(fetchJwks(origin, message === 'Timeout' ? 100 : 10_000)).rejects.toThrow(message);
  expect(timers()).toBeLessThanOrEqual(before);
  await vi.waitFor(async () => {
    expect(await promisify(server.getConnections.bind(server))()).toBe(0);
  });
});

it('fails for a refused connection, a server without TLS, and another kind of URL', async () => {
  await expect(fetchJwks(await unusedUrl())).rejects.toThrow('ECONNREFUSED');
  await expect(fetchJwks(origin.replace('http:', 'https:'))).rejects.toThrow(/SSL|EPROTO/);
  for (const uri of ['ftp://127.0.0.1/keys', 'keys', '']) await expect(fetchJwks(uri)).rejects.toThrow();
});
