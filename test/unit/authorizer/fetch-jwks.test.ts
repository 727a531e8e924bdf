import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchJwks } from '../../../functions/authorizer/jwks.ts';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';

describe('the issuer’s JWKS', () => {
  let listener: RequestListener;
  const server = createServer((request, response) => {
    listener(request, response);
  });
  let origin: string;
  const fetched = (deadline = 10_000): Promise<JsonObject> => fetchJwks(`${origin}/keys`, deadline);
  const respondingWith =
    (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    (_: unknown, response: ServerResponse): void => {
      response.writeHead(status, headers).end(body);
    };

  beforeAll(async () => {
    origin = await startServer(server);
  });
  afterAll(() => stopServer(server));

  it('is the response of the issuer, whatever its content type', async () => {
    for (const type of ['application/json', 'application/jwk-set+json', 'text/plain']) {
      listener = respondingWith(200, '{"keys":[{"kid":"ö"}]}', { 'content-type': type });
      expect(await fetched()).toEqual({ keys: [{ kid: 'ö' }] });
    }
  });

  it('is requested as JSON', async () => {
    let request: unknown;
    listener = ({ method, url, headers: { accept } }, response) => {
      request = { method, url, accept };
      response.end('{}');
    };
    await fetched();
    expect(request).toEqual({ method: 'GET', url: '/keys', accept: 'application/json' });
  });

  it('is fetched over a new connection each time, because an old one can be dead', async () => {
    let connections = 0;
    const count = (): void => {
      connections += 1;
    };
    server.on('connection', count);
    listener = respondingWith(200, '{"keys":[]}');
    await fetched();
    await fetched();
    server.off('connection', count);
    expect(connections).toBe(2);
  });

  it('can arrive in many parts', async () => {
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
    ['an internal error', 500, '{"keys":[]}'],
    ['service unavailable', 503, '{"keys":[]}'],
    ['a page that is not JSON', 200, '<html>'],
    ['an empty body', 200, ''],
    ['half a JWKS', 200, '{"keys":['],
    ['a list', 200, '[]'],
    ['null', 200, 'null'],
    ['bytes that are not UTF-8', 200, Buffer.from('{"keys":"\xff"}', 'latin1')],
  ])('is unavailable when the issuer responds with %s', async (_, status, body) => {
    listener = respondingWith(status, body);
    await expect(fetched()).rejects.toThrow();
  });

  it.each([301, 302, 307, 308])('is not fetched through a redirect with status %i', async (status) => {
    const requested: unknown[] = [];
    listener = ({ url }, response) => {
      requested.push(url);
      response.writeHead(status, { location: `${origin}/elsewhere` }).end('{"keys":[]}');
    };
    await expect(fetched()).rejects.toThrow(`status ${String(status)}`);
    expect(requested).toEqual(['/keys']);
  });

  it('has at most 512 KB', async () => {
    const sized = (bytes: number): string => `{"keys":"${'x'.repeat(bytes - '{"keys":""}'.length)}"}`;
    listener = respondingWith(200, sized(512 * 1024));
    expect(await fetched()).toHaveProperty('keys');
    listener = respondingWith(200, sized(512 * 1024 + 1));
    await expect(fetched()).rejects.toThrow('512 KB');
  });

  it('is unavailable when the response does not end', async () => {
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
    ['does not respond', () => undefined],
    ['stops during its response', (_, response) => response.writeHead(200).write('{"keys":')],
  ])('is unavailable at the deadline when the issuer %s', async (_, silent) => {
    listener = silent;
    await expect(fetched(100)).rejects.toThrow();
  });

  it.each<[string, RequestListener]>([
    ['before its response', ({ socket }) => socket.destroy()],
    [
      'during its response',
      ({ socket }, response) => {
        response.writeHead(200, { 'content-length': '11' }).write('{"keys":', () => socket.destroy());
      },
    ],
  ])('is unavailable when the issuer closes the connection %s', async (_, disconnect) => {
    listener = disconnect;
    await expect(fetched()).rejects.toThrow();
  });

  it('is unavailable when the issuer responds with another protocol', async () => {
    let closed: Promise<unknown> | undefined;
    const other = createServer(({ socket }) => {
      closed = once(socket, 'close');
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    });
    const url = await startServer(other);
    await expect(fetchJwks(`${url}/keys`, 100)).rejects.toThrow('in time');
    await closed;
    await stopServer(other);
  });

  it('is unavailable when the issuer refuses the connection', async () => {
    await expect(fetchJwks(await unusedUrl(), 10_000)).rejects.toThrow('ECONNREFUSED');
  });

  it('is fetched over TLS from an https URL', async () => {
    listener = respondingWith(200, '{"keys":[]}');
    await expect(fetchJwks(`${origin.replace('http:', 'https:')}/keys`, 10_000)).rejects.toThrow(
      /SSL|EPROTO/,
    );
  });

  it.each(['ftp://127.0.0.1/keys', 'keys', ''])('is not fetched from %j', async (uri) => {
    await expect(fetchJwks(uri, 10_000)).rejects.toThrow();
  });
});
