import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewayServer } from '../../../local/gateway/gateway.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { exchange, parseResponses } from '../../support/raw-http.ts';

/** An HTTP API's quota for a body, in bytes. */
const quota = 10 * 1024 * 1024;

describe('the local gateway, with more than its quotas', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = gatewayServer(async () => {
      // As after a change of the source: the rest of a request may arrive before the deployment is ready.
      await delay(10);
      return {
        api: { routes: [{ key: 'POST /plants', functionId: 'List', timeout: 30_000 }], cors: undefined },
        invoke: () => Promise.resolve([]),
      };
    });
    url = await startServer(server);
  });
  afterAll(() => stopServer(server));

  const responsesTo = async (text: string): Promise<readonly unknown[]> =>
    parseResponses(await exchange(url, text)).map(({ status, body }) => [status, body]);

  const post = (path: string, bytes: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(bytes)}\r\n\r\n`;
  it('responds to a body of exactly the quota, and to the next request on the connection', async () => {
    const last = 'POST /plants HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const text = `${post('/plants', quota)}${'x'.repeat(quota)}${last}`;
    expect(await responsesTo(text)).toEqual([
      [200, []],
      [200, []],
    ]);
  });

  describe('a body above the quota', () => {
    const chunked = (path: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunkOf = (bytes: number): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
    const tooLarge = [413, { message: 'Request Entity Too Large' }];

    interface Upload {
      readonly received: string;
      /** What the server read from the connection, in bytes. */
      readonly read: number;
    }

    /** Sends a text, and then a part again and again if there is one, until the server closes the connection. */
    const upload = async (text: string, part?: string): Promise<Upload> => {
      const accepted = once(server, 'connection').then(([socket]) => z.instanceof(Socket).parse(socket));
      const { hostname, port } = new URL(url);
      let received = '';
      const client = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
        .on('error', () => undefined)
        .on('data', (data) => {
          received += data.toString();
        });
      const onServer = await accepted;
      // Without parts, the client waits for the end of what the server sends.
      const closed = part === undefined ? once(client, 'end') : once(onServer, 'close');
      client.write(text);
      const more = (): void => {
        while (part !== undefined && client.writable && client.write(part));
      };
      client.on('drain', more);
      more();
      await closed;
      client.destroy();
      return { received, read: onServer.bytesRead };
    };

    it.each([
      ['announced', post('/plants', 1e12), 'x'.repeat(100_000), 1_000_000, tooLarge],
      ['in chunks of unknown number', chunked('/plants'), chunkOf(100_000), quota + 1_000_000, tooLarge],
      [
        'to an unknown path',
        chunked('/unknown'),
        chunkOf(100_000),
        quota + 1_000_000,
        [404, { message: 'Not Found' }],
      ],
    ])('%s is refused, and read no further', async (_what, head, part, atMost, response) => {
      const { received, read } = await upload(head, part);
      expect(parseResponses(received).map(({ status, body }) => [status, body])).toEqual([response]);
      expect(read).toBeLessThan(atMost);
    });

    it.each([
      ['before it arrives, if its length is announced', post('/plants', quota + 1)],
      ['before its end, if it is chunked', chunked('/plants') + chunkOf(quota + 1)],
      [
        'instead of 100 Continue',
        post('/plants', quota + 1).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
      ],
      ['when it arrives whole', chunked('/plants') + chunkOf(quota + 1) + '0\r\n\r\n'],
      [
        'once, although another request follows',
        `${chunked('/plants')}${chunkOf(quota + 1)}0\r\n\r\n${post('/plants', 0)}`,
      ],
    ])('is refused %s', async (_when, text) => {
      const { received } = await upload(text);
      expect(received).toMatch(/^HTTP\/1\.1 413 /);
      expect(received).toMatch(/^apigw-requestid: \S+\r$/m);
      expect(parseResponses(received)).toMatchObject([{ headers: { connection: 'close' } }]);
    });

    it('is refused after the response to an earlier request', async () => {
      const { received } = await upload(post('/plants', 0) + post('/plants', quota + 1));
      expect(parseResponses(received).map(({ status }) => status)).toEqual([200, 413]);
    });

    it('does not keep a common client from reading the response', async () => {
      const response = await fetch(`${url}/plants`, { method: 'POST', body: 'x'.repeat(quota + 1) });
      expect([response.status, await response.json()]).toEqual(tooLarge);
    });
  });

  it('responds when the request line and the headers are as large as the quota allows', async () => {
    const start = 'GET /unknown HTTP/1.1\r\nHost: a\r\nConnection: close\r\nA: ';
    const text = `${start.padEnd(10_240 - 4, 'a')}\r\n\r\n`;
    expect(await responsesTo(text)).toEqual([[404, { message: 'Not Found' }]]);
  });

  it('adds listeners once, however much follows after something that is not HTTP', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error): void => {
      warnings.push(warning);
    };
    process.on('warning', collect);
    await exchange(url, `${post('/plants', 0)}${'\0'.repeat(4_000_000)}`);
    // Node emits a warning after the current turn.
    await new Promise(setImmediate);
    process.off('warning', collect);
    expect(warnings).toEqual([]);
  });
});
