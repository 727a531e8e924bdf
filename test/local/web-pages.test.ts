import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPage } from '../../local/api-page/page.ts';
import { gatewayServer } from '../../local/gateway/gateway.ts';
import { gatewayResponse } from '../../local/gateway/response.ts';
import { issuerServer, jwksPath } from '../../local/issuer/issuer.ts';
import { startEmbeddedStore } from '../../local/store/store.ts';
import { exchange, exchangeText } from '../contract/client.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { edKey } from '../support/tokens.ts';

const issuer = issuerServer({ ...edKey('key').jwk, kid: 'key' });
let urls: Readonly<Record<string, string>>;
beforeAll(async () => {
  urls = { store: await startEmbeddedStore(0), issuer: `${await startServer(issuer)}${jwksPath}` };
});
afterAll(() => stopServer(issuer));

/** The status and the CORS header of a response. */
const responseOf = async (service: string, method: string, headers: Readonly<Record<string, string>>) => {
  const { pathname, origin } = new URL(urls[service] ?? '');
  const { status, headers: received } = await exchange(origin, pathname, headers, method);
  return [status, received['access-control-allow-origin']];
};

describe.each(['store', 'issuer'])('the local %s', (service) => {
  it.each([
    ['a request from a web page', 'POST', { origin: 'https://attacker.example' }],
    ['a request from a page of this machine', 'GET', { origin: 'http://127.0.0.1:3000' }],
    [
      'a preflight',
      'OPTIONS',
      { origin: 'https://attacker.example', 'access-control-request-method': 'POST' },
    ],
    ['a page whose name resolves to this machine', 'GET', { host: 'attacker.example:8000' }],
  ])('refuses %s', async (_, method, headers) => {
    expect(await responseOf(service, method, headers)).toEqual([403, undefined]);
  });

  it.each(['127.0.0.1:8000', 'localhost', '172.17.0.1:8000'])(
    'responds to a program that sends the Host header %s',
    async (host) => {
      expect(await responseOf(service, 'GET', { host })).toEqual([200, undefined]);
    },
  );
});

describe('the local API page', () => {
  const page = apiPage(new Map([['alice', () => Promise.resolve('signed-for-alice')]]));
  const server = gatewayServer(async (request) => (await page(request)) ?? gatewayResponse(404, 'Not Found'));
  let self: string;
  beforeAll(async () => {
    self = await startServer(server);
  });
  afterAll(() => stopServer(server));

  it('gives a token to itself', async () => {
    const response = await exchangeText(self, '/docs/token?user=alice', { origin: self }, 'POST');
    expect(response).toMatchObject({ status: 200, text: 'signed-for-alice' });
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([
    ['a page of another site', 'POST', { origin: 'https://attacker.example' }],
    ['a page of another port', 'POST', { origin: 'http://127.0.0.1:1' }],
    ['a program', 'POST', {}],
    [
      'a page whose name resolves to this machine',
      'POST',
      { host: 'attacker.example', origin: 'http://attacker.example' },
    ],
    ['an image of another site', 'GET', {}],
  ])('gives no token to %s', async (_, method, headers) => {
    const { status, text } = await exchangeText(self, '/docs/token?user=alice', headers, method);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('signed-for-alice');
  });
});
