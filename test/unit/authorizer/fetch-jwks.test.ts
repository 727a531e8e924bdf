import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchJwks } from '../../../functions/authorizer/fetch-jwks.ts';
import type { JsonObject } from '../../../functions/authorizer/json-object.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';

describe('the issuer’s key set', () => {
  let listener: RequestListener;
  const server = createServer((request, response) => {
    listener(request, response);
  });
  let origin: string;
  const fetched = (deadline = 10_000): Promise<JsonObject> => fetchJwks(`${origin}/keys`, deadline);
  const answering =
    (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    (_: unknown, response: ServerResponse): void => {
      response.writeHead(status, headers).end(body);
    };

  beforeAll(async () => {
    origin = await startServer(server);
  });
  afterAll(() => stopServer(server));

  it('is what the issuer answers, whatever type it says it has', async () => {
    for (const type of ['application/json', 'application/jwk-set+json', 'text/plain']) {
      listener = answering(200, '{"keys":[{"kid":"ö"}]}', { 'content-type': type });
      expect(await fetched()).toEqual({ keys: [{ kid: 'ö' }] });
    }
  });

  it('is asked for as JSON', async () => {
    let request: unknown;
    listener = ({ method, url, headers: { accept } }, response) => {
      request = { method, url, accept };
      response.end('{}');
    };
    await fetched();
    expect(request).toEqual({ method: 'GET', url: '/keys', accept: 'application/json' });
  });

  it('is fetched over a new connection each time, as one kept for minutes would be dead', async () => {
    let connections = 0;
    const count = (): void => {
      connections += 1;
    };
    server.on('connection', count);
    listener = answering(200, '{"keys":[]}');
    await fetched();
    await fetched();
    server.off('connection', count);
    expect(connections).toBe(2);
  });

  it('may come in many parts', async () => {
    listener = (_, response) => {
      for (const part of ['{"ke', 'ys":', '[]}']) response.write(part);
      response.end();
    };
    expect(await fetched()).toEqual({ keys: [] });
  });

  it.each([
    ['no content', 204, ''],
    ['not modified', 304, ''],
    ['not found', 404, '{"keys":[]}'],
    ['an error of its own', 500, '{"keys":[]}'],
    ['unavailable', 503, '{"keys":[]}'],
    ['a page that is not JSON', 200, '<html>'],
    ['nothing', 200, ''],
    ['half a key set', 200, '{"keys":['],
    ['a list', 200, '[]'],
    ['null', 200, 'null'],
    ['something that is not UTF-8', 200, Buffer.from('{"keys":"\xff"}', 'latin1')],
  ])('is not there when the issuer answers %s', async (_, status, body) => {
    listener = answering(status, body);
    await expect(fetched()).rejects.toThrow();
  });

  it.each([301, 302, 307, 308])(
    'is not looked for elsewhere after a redirect with status %i',
    async (status) => {
      const asked: unknown[] = [];
      listener = ({ url }, response) => {
        asked.push(url);
        response.writeHead(status, { location: `${origin}/elsewhere` }).end('{"keys":[]}');
      };
      await expect(fetched()).rejects.toThrow(`status ${String(status)}`);
      expect(asked).toEqual(['/keys']);
    },
  );

  it('may have 512 KB and no more', async () => {
    const sized = (bytes: number): string => `{"keys":"${'x'.repeat(bytes - '{"keys":""}'.length)}"}`;
    listener = answering(200, sized(512 * 1024));
    expect(await fetched()).toHaveProperty('keys');
    listener = answering(200, sized(512 * 1024 + 1));
    await expect(fetched()).rejects.toThrow('512 KB');
  });

  it('is not waited for without end when the issuer sends without end', async () => {
    listener = (_, response) => {
      const send = (): void => {
        if (response.destroyed) return;
        response.write('x'.repeat(65_536));
        setImmediate(send);
      };
      send();
    };
    await expect(fetched()).rejects.toThrow('512 KB');
  });

  it.each<[string, RequestListener]>([
    ['does not answer', () => undefined],
    ['stops in the middle of its answer', (_, response) => response.writeHead(200).write('{"keys":')],
  ])('is given up at the deadline when the issuer %s', async (_, silent) => {
    listener = silent;
    await expect(fetched(100)).rejects.toThrow();
  });

  it.each<[string, RequestListener]>([
    ['before its answer', ({ socket }) => socket.destroy()],
    [
      'in the middle of its answer',
      ({ socket }, response) => {
        response.writeHead(200, { 'content-length': '11' }).write('{"keys":', () => socket.destroy());
      },
    ],
  ])('is not there when the issuer hangs up %s', async (_, hangUp) => {
    listener = hangUp;
    await expect(fetched()).rejects.toThrow();
  });

  it('is unavailable when the issuer refuses the connection', async () => {
    await expect(fetchJwks(await unusedUrl(), 10_000)).rejects.toThrow('ECONNREFUSED');
  });

  it('is fetched by https where the address says so', async () => {
    listener = answering(200, '{"keys":[]}');
    await expect(fetchJwks(`${origin.replace('http:', 'https:')}/keys`, 10_000)).rejects.toThrow(
      /SSL|EPROTO/,
    );
  });

  it.each(['ftp://127.0.0.1/keys', 'keys', ''])('is not fetched from %j', async (uri) => {
    await expect(fetchJwks(uri, 10_000)).rejects.toThrow();
  });
});
