import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cachedJwks, fetchJwks, JwksUnavailable } from '../../../functions/authorizer/jwks.ts';
import type { KeySet } from '../../../functions/authorizer/key-set.ts';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey, type SigningKey } from '../../support/tokens.ts';

const oldKey = ecKey('old');
const newKey = ecKey('new');

const jwksOf = (...keys: readonly SigningKey[]): JsonObject => ({ keys: keys.map(({ jwk }) => jwk) });
const idsIn = ({ keys }: KeySet): readonly unknown[] => keys.map(({ kid }) => kid);
const refusal = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });

/** An issuer with responses and a clock that the test sets; unreachable without a response. */
const issuerOf = (...keys: readonly SigningKey[]) => {
  let now = Date.UTC(2030, 0, 1);
  const log = recordingLog();
  const issuer = {
    response: keys.length === 0 ? undefined : jwksOf(...keys),
    fetches: 0,
    log,
    passSeconds: (seconds: number): void => {
      now += seconds * 1000;
    },
    /** The ids of the keys in the authorizer's copy. */
    current: async () => idsIn(await jwks.current()),
    latest: async () => idsIn(await jwks.latest()),
  };
  const jwks = cachedJwks({
    algorithms: ['ES256'],
    fetchJwks: () => {
      issuer.fetches += 1;
      return issuer.response === undefined ? Promise.reject(refusal) : Promise.resolve(issuer.response);
    },
    now: () => now,
    log,
  });
  return issuer;
};

/** An issuer that fails in this way for this time, with a copy of the old key in the cache. */
const failingFor = async (seconds: number, response?: JsonObject) => {
  const issuer = issuerOf(oldKey);
  await issuer.current();
  issuer.response = response;
  issuer.passSeconds(seconds);
  return issuer;
};

const unavailable = ['error', { event: 'key-set-unavailable', cause: refusal.code }];
const refreshFailed = (ageSeconds: number, cause = refusal.code) => [
  'warn',
  { event: 'key-set-refresh-failed', ageSeconds, cause },
];
const minute = 60;
const hour = 60 * minute;

describe('the issuer’s keys', () => {
  it('are fetched with the first token, once for all that come at the same time', async () => {
    const issuer = issuerOf(oldKey);
    expect(issuer.fetches).toBe(0);
    await Promise.all([issuer.current(), issuer.latest(), issuer.current()]);
    expect(issuer.fetches).toBe(1);
  });

  it('are fetched again after ten minutes, so that a withdrawn key expires', async () => {
    const issuer = await failingFor(10 * minute - 0.001, jwksOf(newKey));
    expect(await issuer.current()).toEqual(['old']);
    issuer.passSeconds(0.001);
    expect(await issuer.current()).toEqual(['new']);
    expect([issuer.fetches, issuer.log.entries]).toEqual([2, []]);
  });

  it('are fetched again for a token that they do not explain, unless they are younger than five seconds', async () => {
    const issuer = await failingFor(4.999, jwksOf(oldKey, newKey));
    expect(await issuer.latest()).toEqual(['old']);
    expect(issuer.fetches).toBe(1);
    issuer.passSeconds(0.001);
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await issuer.latest()).toEqual(['old', 'new']);
    expect(await issuer.current()).toEqual(['old', 'new']);
    expect(issuer.fetches).toBe(2);
  });
});

describe('while the issuer is unreachable', () => {
  it('the authorizer cannot decide without a copy of its keys, and logs the cause by its code', async () => {
    const issuer = issuerOf();
    const error: unknown = await issuer.current().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(JwksUnavailable);
    const message = 'The key set of the issuer is not available.';
    expect(error).toMatchObject({ name: 'JwksUnavailable', message, cause: refusal });
    expect(issuer.log.entries).toEqual([unavailable]);
  });

  it('a copy is used until it is an hour old, with a warning for each failed fetch, whatever fetches failed later', async () => {
    const issuer = await failingFor(0);
    for (const seconds of [15 * minute, 30 * minute + 0.6, 15 * minute - 1.6]) {
      issuer.passSeconds(seconds);
      for (let token = 0; token < 10; token += 1) expect(await issuer.current()).toEqual(['old']);
    }
    issuer.passSeconds(1);
    await expect(issuer.current()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([...[900, 2701, 3599].map((age) => refreshFailed(age)), unavailable]);
  });

  it.each([
    ['a copy', () => failingFor(minute)],
    ['no copy', () => Promise.resolve(issuerOf())],
  ])('a token that needs the next fetch waits a second for it, with %s', async (_, start) => {
    const issuer = await start();
    const before = issuer.fetches;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
      issuer.response = jwksOf(newKey);
      if (attempt === 0) issuer.passSeconds(0.999);
    }
    expect([issuer.fetches, issuer.log.entries.length]).toEqual([before + 1, 1]);
    issuer.passSeconds(0.001);
    expect(await issuer.latest()).toEqual(['new']);
  });

  it('a clock that is set back does not stop the next fetch', async () => {
    const issuer = await failingFor(minute);
    await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
    issuer.passSeconds(-hour);
    expect(await issuer.current()).toEqual(['old']);
    issuer.passSeconds(-1);
    issuer.response = jwksOf(newKey);
    expect(await issuer.latest()).toEqual(['new']);
  });

  it.each([
    ['that is no key set', {}, 'NoKeySet'],
    ['without keys', { keys: [] }, 'NoUsableKey'],
  ])('a response %s is a failed fetch, and does not replace a copy', async (_, response, cause) => {
    const issuer = await failingFor(10 * minute, response);
    expect(await issuer.current()).toEqual(['old']);
    await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([refreshFailed(600, cause)]);
  });
});

describe('the issuer’s response', () => {
  let listener: RequestListener;
  let connections = 0;
  const server = createServer((request, response) => {
    listener(request, response);
  }).on('connection', () => {
    connections += 1;
  });
  let origin: string;
  beforeAll(async () => {
    origin = await startServer(server);
  });
  afterAll(() => stopServer(server));
  const fetched = (deadline = 10_000): Promise<JsonObject> => fetchJwks(`${origin}/keys`, deadline);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const respondingWith =
    (status: number, body: string) =>
    (_: unknown, response: ServerResponse): void => {
      response.writeHead(status, { 'content-type': 'text/plain', location: `${origin}/else` }).end(body);
    };

  it('is requested as JSON, over a new connection each time, because an old one can be dead', async () => {
    const requests: unknown[] = [];
    listener = ({ method, url, headers: { accept } }, response) => {
      requests.push([method, url, accept]);
      // In two parts.
      response.write('{"keys"');
      response.end(':[]}');
    };
    for (let count = 0; count < 2; count += 1) expect(await fetched()).toEqual({ keys: [] });
    expect(requests).toEqual(Array(2).fill(['GET', '/keys', 'application/json']));
    expect(connections).toBe(2);
  });

  it.each([204, 301, 302, 304, 307, 404, 500])(
    'fails with status %i, also where it is a redirect',
    async (status) => {
      listener = respondingWith(status, '{"keys":[]}');
      await expect(fetched()).rejects.toThrow(`Status${String(status)}`);
    },
  );

  it.each(['', '<html>', '[]'])('fails when it is not a JSON object: %j', async (body) => {
    listener = respondingWith(200, body);
    await expect(fetched()).rejects.toThrow('JSON');
  });

  it('has at most 512 KB', async () => {
    const sized = (bytes: number): string => `{"keys":"${'x'.repeat(bytes - '{"keys":""}'.length)}"}`;
    listener = respondingWith(200, sized(512 * 1024));
    expect(await fetched()).toHaveProperty('keys');
    listener = (_, response) => response.write(sized(512 * 1024 + 1));
    await expect(fetched()).rejects.toThrow('TooLarge');
  });

  it.each<[string, RequestListener, string]>([
    ['never comes', () => undefined, 'Timeout'],
    ['stops', (_, response) => response.writeHead(200).write('{"keys":'), 'Timeout'],
    ['is a closed connection', ({ socket }) => socket.destroy(), 'hang up'],
    [
      'is cut off',
      ({ socket }, response) => {
        response.writeHead(200, { 'content-length': '11' }).write('{"keys":', () => socket.destroy());
      },
      'aborted',
    ],
  ])('fails when it %s, and leaves neither timer nor connection', async (_, respond, message) => {
    listener = respond;
    const before = timers();
    await expect(fetched(message === 'Timeout' ? 100 : 10_000)).rejects.toThrow(message);
    expect(timers()).toBeLessThanOrEqual(before);
    await vi.waitFor(async () => {
      expect(await promisify(server.getConnections.bind(server))()).toBe(0);
    });
  });

  it('cannot come from a refused connection, a server without TLS, or another kind of URL', async () => {
    await expect(fetchJwks(await unusedUrl())).rejects.toThrow('ECONNREFUSED');
    await expect(fetchJwks(origin.replace('http:', 'https:'))).rejects.toThrow(/SSL|EPROTO/);
    for (const uri of ['ftp://127.0.0.1/keys', 'keys', '']) await expect(fetchJwks(uri)).rejects.toThrow();
  });
});
