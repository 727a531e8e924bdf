import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayServer } from '../../../local/gateway/gateway.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { exchange, parseResponses } from '../../support/raw-http.ts';

/** An HTTP API's quota for a body, in bytes. */
const quota = 10 * 1024 * 1024;

describe('the local gateway, with more than its quotas', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = gatewayServer(() =>
      Promise.resolve({
        api: { routes: [{ key: 'POST /plants', functionId: 'List', timeout: 30_000 }], cors: undefined },
        invoke: () => Promise.resolve([]),
      }),
    );
    url = await startServer(server);
  });
  afterAll(() => stopServer(server));

  const responsesTo = async (text: string, leave = false): Promise<readonly unknown[]> =>
    parseResponses(await exchange(url, text, leave)).map(({ status, body }) => [status, body]);

  const post = (path: string, bytes: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(bytes)}\r\n\r\n`;
  const last = 'POST /plants HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  it.each([
    ['a body of exactly the quota', '/plants', quota, [200, []]],
    ['a larger body', '/plants', 3 * quota, [413, { message: 'Request Entity Too Large' }]],
    ['a larger body to an unknown path', '/unknown', 3 * quota, [404, { message: 'Not Found' }]],
  ])('responds to %s, and to the next request on the connection', async (_what, path, bytes, response) => {
    const text = `${post(path, bytes)}${'x'.repeat(bytes)}${last}`;
    expect(await responsesTo(text)).toEqual([response, [200, []]]);
  });

  it('does not wait for the end of a body that is too large', async () => {
    const text = post('/unknown', 1e12) + 'x'.repeat(quota + 1);
    expect((await responsesTo(text, true))[0]).toEqual([404, { message: 'Not Found' }]);
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
