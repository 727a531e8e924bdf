import { createServer, type RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
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
  listener = ({ method, url, headers: { host, ...headers } }, response) => {
    requests.push([method, url, headers]);
    response.end('水'.repeat(512 * 1024));
  };
  expect(await fetchJwks(`${origin}/keys`)).toBe('水'.repeat(512 * 1024));
  const headers = {
    accept: 'application/json',
    // Without it, a server may compress the key set (RFC 9110 section 12.5.3).
    'accept-encoding': 'identity',
    // AWS WAF's core rule set blocks requests without it (NoUserAgent_HEADER).
    'user-agent': 'plant-store',
    connection: 'close',
  };
  expect(requests).toEqual([['GET', '/keys', headers]]);
});

const mark = Buffer.from('\ufeff');

it.each([
  ['at once', [mark, Buffer.from('{}')]],
  ['byte by byte', [...Buffer.concat([mark, Buffer.from('{}')])].map((byte) => Buffer.of(byte))],
])('drops a byte order mark that arrives %s', async (_, parts) => {
  listener = async (__, response) => {
    for (const part of parts) {
      await new Promise((resolve) => response.write(part, resolve));
      await setImmediate();
    }
    response.end();
  };
  expect(await fetchJwks(origin)).toBe('{}');
});

it('keeps a byte order mark that is not the first character, which is no JSON', async () => {
  listener = (_, response) => response.end(Buffer.concat([mark, mark, Buffer.from('{\ufeff}')]));
  expect(await fetchJwks(origin)).toBe('\ufeff{\ufeff}');
});

it.each(['identity', 'Identity', '', 'utf-8', 'aws-chunked'])(
  'fetches a key set whose Content-Encoding is “%s”, because it is not compressed',
  async (coding) => {
    listener = (_, response) => response.setHeader('content-encoding', coding).end('{}');
    expect(await fetchJwks(origin)).toBe('{}');
  },
);

const compressed =
  (coding: string | readonly string[], body: Buffer): RequestListener =>
  (_, response) => {
    response.setHeader('content-encoding', coding).end(body);
  };
const json = Buffer.from('{"keys":[]}');

it.each<[what: string, response: RequestListener, code: string]>([
  ['has status 204', respondingWith(204, ''), 'Status204'],
  ['has status 301', respondingWith(301, '{"keys":[]}'), 'Status301'],
  ['is compressed with gzip', compressed('gzip', gzipSync(json)), 'ContentEncoding'],
  ['is compressed with GZip, then br', compressed(['GZip', 'br'], gzipSync(json)), 'ContentEncoding'],
  ['is compressed with x-gzip', compressed('x-gzip', gzipSync(json)), 'ContentEncoding'],
  ['is compressed with br', compressed('br', brotliCompressSync(json)), 'ContentEncoding'],
  ['is compressed with zstd', compressed('zstd', zstdCompressSync(json)), 'ContentEncoding'],
  ['is compressed with deflate', compressed('deflate', deflateSync(json)), 'ContentEncoding'],
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
