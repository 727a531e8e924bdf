import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { apiPage } from '../../../local/api-page/page.ts';
import { gatewayServer } from '../../../local/gateway/gateway.ts';
import { gatewayResponse } from '../../../local/gateway/response.ts';
import { exchangeText, type Headers } from '../../contract/client.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const page = apiPage(new Map([['alice', () => Promise.resolve('signed-for-alice')]]));
const server = gatewayServer(async (request) => (await page(request)) ?? gatewayResponse(404, 'Not Found'));
let self: string;
beforeAll(async () => {
  self = await startServer(server);
});
afterAll(() => stopServer(server));

const fetchPath = (path: string, method = 'GET', headers: Headers = {}) =>
  exchangeText(self, path, headers, method);

const requestToken = (headers: Headers, user = 'alice') =>
  fetchPath(`/docs/token?user=${user}`, 'POST', headers);

describe('the API documentation of the local service', () => {
  it('is a page at /docs that may load nothing from other origins', async () => {
    expect(await fetchPath('/docs')).toMatchObject({
      status: 308,
      headers: { location: '/docs/', 'cache-control': 'no-store' },
    });
    const { status, text, headers } = await fetchPath('/docs/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<title>Plant Store API</title>');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(headers['content-security-policy']).not.toMatch(/http|\*|unsafe/);
  });

  it('names the origin of the request as the only server', async () => {
    const host = `localhost:${new URL(self).port}`;
    const { text } = await fetchPath('/docs/openapi.yaml', 'GET', { host });
    expect(parse(text)).toMatchObject({ servers: [{ url: `http://${host}` }] });
  });

  it.each(['/', '/plants', '/docsx', '/doc', '/x/docs', '//', '//['])(
    'leaves %s to the gateway',
    async (path) => {
      expect((await fetchPath(path)).text).toBe('{"message":"Not Found"}');
    },
  );

  it.each(['/docs/nothing', '/docs/..%2fpackage.json', '/docs/__proto__'])('has no file %s', async (path) => {
    expect((await fetchPath(path)).status).toBe(404);
  });

  it.each([
    ['a page of another site', { origin: 'https://elsewhere.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a page in a sandbox', { origin: 'null' }],
    ['a client without an Origin header', {}],
    [
      'a site with a host name that resolves to this machine',
      { host: 'elsewhere.example', origin: 'http://elsewhere.example' },
    ],
    [
      'a site with a host name that starts with this machine’s address',
      { host: '127.0.0.1.elsewhere.example', origin: 'http://127.0.0.1.elsewhere.example' },
    ],
  ])('returns a token to the page itself, and none to %s', async (_, headers) => {
    expect(await requestToken({ origin: self })).toMatchObject({ status: 200, text: 'signed-for-alice' });
    const { status, text } = await requestToken(headers);
    expect(status).toBe(403);
    expect(text).not.toContain('signed-for-alice');
  });

  it('returns no token for an unknown user or for a GET request', async () => {
    for (const user of ['carol', '', 'constructor', '__proto__']) {
      expect((await requestToken({ origin: self }, user)).status).toBe(404);
    }
    expect((await fetchPath('/docs/token?user=alice', 'GET', { origin: self })).status).toBe(405);
  });
});
