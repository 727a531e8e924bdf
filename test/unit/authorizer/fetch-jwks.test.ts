import { createServer, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
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

it('requests JSON of up to 524,288 characters, and asks the issuer to close the connection', async () => {
  const requests: unknown[] = [];
  listener = ({ method, url, headers }, response) => {
    requests.push([method, url, { ...headers, host: undefined }]);
    response.end('水'.repeat(512 * 1024));
  };
  expect(await fetchJwks(`${origin}/keys`)).toBe('水'.repeat(512 * 1024));
  const headers = {
    accept: 'application/json',
    // Without this field, a server may compress the key set (RFC 9110 section 12.5.3).
    'accept-encoding': 'identity',
    // AWS WAF's core rule set blocks requests without this field (NoUserAgent_HEADER).
    'user-agent': 'plant-store',
    connection: 'close',
  };
  expect(requests).toEqual([['GET', '/keys', headers]]);
});

const byteOrderMark = Buffer.from('\ufeff');

it.each([
  ['at once', [byteOrderMark, Buffer.from('{}')]],
  ['byte by byte', [...Buffer.concat([byteOrderMark, Buffer.from('{}')])].map((byte) => Buffer.of(byte))],
])('drops a byte order mark that arrives %s', async (_, parts) => {
  // Node.js sends each part of the stream as a chunk (RFC 9112 section 7.1).
  listener = (__, response) => Readable.from(parts).pipe(response);
  expect(await fetchJwks(origin)).toBe('{}');
});

it('drops only the first byte order mark', async () => {
  listener = (_, response) =>
    response.end(Buffer.concat([byteOrderMark, byteOrderMark, Buffer.from('{\ufeff}')]));
  expect(await fetchJwks(origin)).toBe('\ufeff{\ufeff}');
});

it.each(['identity', 'Identity', '', 'utf-8', 'aws-chunked'])(
  'fetches a key set whose Content-Encoding is “%s”, which does not compress',
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

it.each<[what: string, response: RequestListener, code: string, deadline?: number]>([
  ['has status 204', respondingWith(204, ''), 'Status204'],
  ['has status 301', respondingWith(301, '{"keys":[]}'), 'Status301'],
  ['is compressed with gzip', compressed('gzip', gzipSync(json)), 'ContentEncoding'],
  ['is compressed with GZip, then br', compressed(['GZip', 'br'], gzipSync(json)), 'ContentEncoding'],
  ['is compressed with x-gzip', compressed('x-gzip', gzipSync(json)), 'ContentEncoding'],
  ['is compressed with br', compressed('br', brotliCompressSync(json)), 'ContentEncoding'],
  ['is compressed with zstd', compressed('zstd', zstdCompressSync(json)), 'ContentEncoding'],
  ['is compressed with deflate', compressed('deflate', deflateSync(json)), 'ContentEncoding'],
  ['exceeds 512 KB', (_, response) => response.write('x'.repeat(512 * 1024 + 1)), 'TooLarge'],
  ['never ends', (_, response) => response.writeHead(200).write('{"keys":'), 'ECONNRESET', 500],
])('fails when the response %s, and closes the connection', async (_, respond, code, deadline = 10_000) => {
  listener = respond;
  await expect(fetchJwks(origin, deadline)).rejects.toMatchObject({ code });
  await vi.waitFor(async () => {
    expect(await connections()).toBe(0);
  });
});

/** The code of a thread whose server responds after 100 ms, even while the test's thread is blocked. */
const slowServer = `
  const { parentPort } = require('node:worker_threads');
  const { createServer } = require('node:http');
  const server = createServer((_, response) => setTimeout(() => response.end('{}'), 100));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

it('fetches a key set that arrives while the process is frozen for longer than the deadline', async () => {
  const thread = new Worker(slowServer, { eval: true });
  const port = await new Promise((resolve) => thread.once('message', resolve));
  const fetched = fetchJwks(`http://127.0.0.1:${String(port)}`, 1000);
  await setTimeout(50);
  // Continues in the check phase of the event loop, after which timers fire before responses are read.
  await setImmediate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  expect(await fetched).toBe('{}');
  await thread.terminate();
});

it('fails for a server without TLS at an https address', async () => {
  await expect(fetchJwks(origin.replace('http:', 'https:'))).rejects.toThrow(/SSL|EPROTO/);
});
