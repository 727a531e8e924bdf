import { createServer, type RequestListener } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fetchJwks } from '../../../functions/authorizer/fetch-jwks.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

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

it('requests a key set of up to 524,288 characters as JSON, and keeps no connection', async () => {
  const requests: unknown[] = [];
  listener = ({ method, url, headers: { accept, connection } }, response) => {
    requests.push([method, url, accept, connection]);
    response.end('水'.repeat(512 * 1024));
  };
  expect(await fetchJwks(`${origin}/keys`)).toBe('水'.repeat(512 * 1024));
  expect(requests).toEqual([['GET', '/keys', 'application/json', 'close']]);
});

it.each<[what: string, response: RequestListener, code: string]>([
  ['has status 204', respondingWith(204, ''), 'Status204'],
  ['has status 301', respondingWith(301, '{"keys":[]}'), 'Status301'],
  ['exceeds 512 KB', (_, response) => response.write('x'.repeat(512 * 1024 + 1)), 'TooLarge'],
  ['never ends', (_, response) => response.writeHead(200).write('{"keys":'), 'ECONNRESET'],
])('fails when the response %s, and keeps no connection', async (_, respond, code) => {
  listener = respond;
  await expect(fetchJwks(origin, code === 'ECONNRESET' ? 500 : 10_000)).rejects.toMatchObject({ code });
  await vi.waitFor(async () => {
    expect(await connections()).toBe(0);
  });
});

it('fails for a server without TLS at an https address', async () => {
  await expect(fetchJwks(origin.replace('http:', 'https:'))).rejects.toThrow(/SSL|EPROTO/);
});
