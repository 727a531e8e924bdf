import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPage } from '../../../local/page/api-page.ts';
import { gatewayServer } from '../../../local/gateway/gateway-server.ts';
import { gatewayResponse } from '../../../local/gateway/response.ts';
import { issuerServer, jwksPath } from '../../../local/issuer/issuer-server.ts';
import { embeddedStore } from '../../../local/store/embedded-store.ts';
import { exchange, exchangeText } from '../../../smoke/client.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

const publicKey = { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'key', alg: 'EdDSA' };
const issuer = issuerServer({ ...publicKey, d: 'd' });
const store = embeddedStore();
let urls: Readonly<Record<string, string>>;
beforeAll(async () => {
  urls = { store: await startServer(store), issuer: `${await startServer(issuer)}${jwksPath}` };
});
afterAll(() => Promise.all([issuer, store].map(stopServer)));

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

  it.each(['127.0.0.1:8000', 'localhost', 'LOCALHOST:8000', '172.17.0.1:8000', 'host.docker.internal:8000'])(
    'responds to a program that sends the Host header %s',
    async (host) => {
      expect(await responseOf(service, 'GET', { host })).toEqual([200, undefined]);
    },
  );
});

describe('a request target in absolute form', () => {
  const responseTo = async (service: string, host: string, path: string) => {
    const { origin } = new URL(urls[service] ?? '');
    const { status, body } = await exchange(origin, `http://${host}${path}`, { host: 'localhost' });
    return [status, body];
  };

  it('is accepted by the local issuer and by the local store', async () => {
    const keys = { keys: [{ ...publicKey, use: 'sig' }] };
    expect(await responseTo('issuer', '127.0.0.1:9000', jwksPath)).toEqual([200, keys]);
    expect(await responseTo('issuer', '127.0.0.1:9000', '/other')).toEqual([404, {}]);
    expect(await responseTo('store', 'localhost', '/')).toEqual([200, undefined]);
  });

  it.each(['attacker.example', 'localhost@attacker.example', ''])(
    'is refused by issuer and store if its host is "%s", though the header Host is localhost',
    async (host) => {
      for (const service of ['issuer', 'store'])
        expect(await responseTo(service, host, jwksPath)).toEqual([403, undefined]);
    },
  );
});

it('the local issuer publishes only the public half of its key', async () => {
  const { body } = await exchange(new URL(urls['issuer'] ?? '').origin, jwksPath);
  expect(body).toEqual({ keys: [{ ...publicKey, use: 'sig' }] });
});

describe('the local API page', () => {
  const page = apiPage(({ name }) => Promise.resolve(`signed-for-${name}`));
  const server = gatewayServer(async (message) => (await page(message)) ?? gatewayResponse(404, 'Not Found'));
  let self: string;
  beforeAll(async () => {
    self = await startServer(server);
  });
  afterAll(() => stopServer(server));

  it('sends its tokens with headers that keep other origins from reading them', async () => {
    const { status, text, headers } = await exchangeText(self, '/docs/');
    expect([status, text]).toEqual([200, expect.stringContaining('value="signed-for-alice"')]);
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each([
    ['a page of another site', { origin: 'https://attacker.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a page in a sandbox', { origin: 'null' }],
    [
      'a page whose name resolves to this machine',
      { host: 'attacker.example', origin: 'http://attacker.example' },
    ],
    ['a page whose name starts with this machine’s address', { host: '127.0.0.1.attacker.example' }],
    ['a container', { host: 'host.docker.internal:3000' }],
  ])('refuses the request of %s', async (_, headers) => {
    const { status, text } = await exchangeText(self, '/docs/', headers);
    expect(status).toBe(403);
    expect(text).not.toContain('signed-for-alice');
  });

  it('responds to a target in absolute form whose host is this machine', async () => {
    const { status } = await exchangeText(self, 'http://localhost:3000/docs', { host: '127.0.0.1' });
    expect(status).toBe(200);
  });

  it('refuses a target in absolute form whose host is another one', async () => {
    const { status } = await exchangeText(self, 'http://attacker.example/docs', { host: '127.0.0.1' });
    expect(status).toBe(403);
  });
});
