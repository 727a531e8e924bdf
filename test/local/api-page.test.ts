import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiPage } from '../../local/api-page/page.ts';
import { gatewayServer } from '../../local/gateway/gateway.ts';
import { listen } from '../../local/listen.ts';

const server = gatewayServer(
  () => Promise.resolve({ api: { routes: [] }, invoke: () => Promise.resolve() }),
  undefined,
  apiPage({ alice: () => Promise.resolve('signed-for-alice') }),
);
let self: string;
beforeAll(async () => {
  self = `http://127.0.0.1:${String(await listen(server, 0, 'PORT'))}`;
});
afterAll(() => {
  server.close().closeAllConnections();
});

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** Asks with any headers; `fetch` sends some of its own. */
const ask = (path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(`${self}${path}`, { method, headers }, (response) => {
      text(response).then((body) => {
        resolve({ status: response.statusCode, body, headers: response.headers });
      }, reject);
    })
      .on('error', reject)
      .end();
  });

const askForToken = (headers: Readonly<Record<string, string>>, user = 'alice'): Promise<Answer> =>
  ask(`/docs/token?user=${user}`, 'POST', headers);

describe('the API documentation of the local service', () => {
  it('is a page at /docs that may load nothing from elsewhere', async () => {
    expect(await ask('/docs')).toMatchObject({ status: 308, headers: { location: '/docs/' } });
    const { status, body, headers } = await ask('/docs/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<title>Plant Store API</title>');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(String(headers['content-security-policy'])).not.toMatch(/http|\*|unsafe/);
  });

  it('describes the service at the address it is read at', async () => {
    const host = `localhost:${new URL(self).port}`;
    expect((await ask('/docs/openapi.yaml', 'GET', { host })).body).toContain(`default: http://${host}\n`);
  });

  it.each(['/', '/plants', '/docsx', '/doc', '/x/docs', '//', '//['])(
    'leaves %s to the gateway',
    async (path) => {
      expect((await ask(path)).body).toBe('{"message":"Not Found"}');
    },
  );

  it.each(['/docs/nothing', '/docs/..%2fpackage.json', '/docs/__proto__'])('has no %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('hands out a token to the page itself', async () => {
    expect(await askForToken({ origin: self })).toMatchObject({ status: 200, body: 'signed-for-alice' });
  });

  it.each([
    ['a page of another site', { origin: 'https://elsewhere.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a page in a sandbox', { origin: 'null' }],
    ['a program', {}],
    ['a site whose name leads here', { host: 'elsewhere.example', origin: 'http://elsewhere.example' }],
    [
      'a site whose name begins like this machine’s',
      { host: '127.0.0.1.elsewhere.example', origin: 'http://127.0.0.1.elsewhere.example' },
    ],
  ])('hands out no token to %s', async (_, headers) => {
    const { status, body } = await askForToken(headers);
    expect(status).toBe(403);
    expect(body).not.toContain('signed-for-alice');
  });

  it('hands out no token for another user, or by a link', async () => {
    for (const user of ['carol', '', 'constructor', '__proto__']) {
      expect((await askForToken({ origin: self }, user)).status).toBe(404);
    }
    expect((await ask('/docs/token?user=alice', 'GET', { origin: self })).status).toBe(405);
  });
});
