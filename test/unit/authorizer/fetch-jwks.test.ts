import { createServer, type RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fetchJwks } from '../../../functions/authorizer/fetch-jwks.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';

let listener: RequestListener;
const server = createServer((request, response) => {
  listener(request, response);
});
let origin: string;
beforeAll(async () => {
  origin = await startServer(server);
});
afterAll(() => stopServer(server));

const connections = promisify(server.getConnections.bind(server));
const respondingWith =
  (status: number, body: string): RequestListener =>
  (_, response) => {
    response.writeHead(status, { location: `${origin}/else` }).end(body);
  };

it('requests the key set as JSON, and keeps no connection', async () => {
  const requests: unknown[] = [];
  listener = ({ method, url, headers: { accept, connection } }, response) => {
    requests.push([method, url, accept, connection]);
    response.write('{"keys"');
    response.end(':["é"]}');
  };
  expect(await fetchJwks(`${origin}/keys`)).toBe('{"keys":["é"]}');
  expect(requests).toEqual([['GET', '/keys', 'application/json', 'close']]);
});

it('accepts a key set of 512 KB', async () => {
  listener = respondingWith(200, 'x'.repeat(512 * 1024));
  expect(await fetchJwks(origin)).toHaveLength(512 * 1024);
});

it.each<[what: string, response: RequestListener, message: string]>([
  ['has status 204', respondingWith(204, ''), 'Status204'],
  ['has status 301', respondingWith(301, '{"keys":[]}'), 'Status301'],
  ['has status 500', respondingWith(500, '{"keys":[]}'), 'Status500'],
  [
    'exceeds 512 KB and does not end',
    (_, response) => response.write('x'.repeat(512 * 1024 + 1)),
    'TooLarge',
  ],
  ['never starts', () => undefined, 'aborted'],
  ['never ends', (_, response) => response.writeHead(200).write('{"keys":'), 'aborted'],
  ['does not start before the connection closes', ({ socket }) => socket.destroy(), 'hang up'],
  [
    'is cut off',
    ({ socket }, response) => {
      response.writeHead(200, { 'content-length': '11' }).write('{"keys":', () => socket.destroy());
    },
    'aborted',
  ],
])('fails when the response %s, and keeps no connection', async (_, respond, message) => {
  listener = respond;
  await expect(fetchJwks(origin, message === 'aborted' ? 100 : 10_000)).rejects.toThrow(message);
  await vi.waitFor(async () => {
    expect(await connections()).toBe(0);
  });
});

it('fails for a refused connection, a server without TLS, and another kind of URL', async () => {
  await expect(fetchJwks(await unusedUrl())).rejects.toThrow('ECONNREFUSED');
  await expect(fetchJwks(origin.replace('http:', 'https:'))).rejects.toThrow(/SSL|EPROTO/);
  for (const uri of ['ftp://127.0.0.1/keys', 'keys']) await expect(fetchJwks(uri)).rejects.toThrow();
});
