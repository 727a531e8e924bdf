import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type Server,
} from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../../local/gateway/routes.ts';
import { gatewayServer } from '../../../local/gateway/gateway-server.ts';
import { httpApi } from '../../../local/gateway/http-api.ts';
import { exchange } from '../../../smoke/client.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

type Function = (event: unknown) => unknown;
const allow: Function = () => ({ isAuthorized: true });
const fail: Function = () => {
  throw new Error('secret');
};
const ok = { statusCode: 200, body: '[]' };
/** A function that returns its event in the body. */
const echo: Function = (event) => ({ statusCode: 200, body: JSON.stringify(event) });

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map(stopServer)));

interface Functions {
  readonly authorizer?: Function;
  readonly list?: Function;
  readonly add?: Function;
}

/** A gateway with the routes `GET /plants` (`list`) and `POST /plants/{name}` (`add`). */
const gateway = async (
  { authorizer = allow, list = () => ok, add = echo }: Functions,
  cacheSeconds = 60,
  log?: (line: string) => void,
): Promise<string> => {
  const invoke =
    (run: Function): Route['invoke'] =>
    async (event) =>
      Promise.resolve(run(event));
  const routes = [
    { key: 'GET /plants', invoke: invoke(list) },
    { key: 'POST /plants/{name}', invoke: invoke(add) },
  ];
  const server = gatewayServer(httpApi(routes, invoke(authorizer), cacheSeconds, log));
  servers.push(server);
  return startServer(server);
};

const authorization = 'x';
const statusOf = async (url: string, identity = authorization): Promise<number> =>
  (await fetch(`${url}/plants`, { headers: { authorization: identity } })).status;

// test/contract runs behind this gateway, and covers routes, refusals and the authorizer's context.
describe('the local gateway', () => {
  it('invokes the function with an event in payload format 2.0', async () => {
    const query = 'limit=1&limit=2&q=a%20b&flag';
    const headers = { authorization, 'X-Two': ['a', 'b'], Cookie: 'one=1; two=2' };
    const { body } = await exchange(await gateway({ list: echo }), `/plants?${query}`, headers);
    expect(body).toMatchObject({
      version: '2.0',
      routeKey: 'GET /plants',
      rawPath: '/plants',
      rawQueryString: query,
      queryStringParameters: { limit: '1,2', q: 'a b', flag: '' },
      cookies: ['one=1', 'two=2'],
      headers: { 'x-two': 'a,b' },
      requestContext: {
        http: { method: 'GET', path: '/plants' },
        stage: '$default',
        routeKey: 'GET /plants',
      },
      isBase64Encoded: false,
    });
    expect(body).not.toHaveProperty('pathParameters');
    expect(body).not.toHaveProperty('body');
  });

  /** The function's event for a POST of this body. */
  const eventOf = async (type: string, body: string | Uint8Array<ArrayBuffer>): Promise<unknown> => {
    const url = `${await gateway({ add: echo })}/plants/oak`;
    const options = { method: 'POST', headers: { authorization, 'content-type': type }, body };
    return (await fetch(url, options)).json();
  };

  it.each([
    ['application/json; charset=utf-8', '{"name":"竹"}'],
    ['text/csv', 'name\nRose'],
  ])('passes a body of type %s to the function as text', async (type, body) => {
    expect(await eventOf(type, body)).toMatchObject({ body, isBase64Encoded: false });
  });

  it.each([
    ['of type image/png', 'image/png', '\u0000png', 'AHBuZw=='],
    ['of type application/json that is not UTF-8', 'application/json', Uint8Array.of(0xff), '/w=='],
  ])('passes a body %s to the function as Base64', async (_, type, sent, body) => {
    expect(await eventOf(type, sent)).toMatchObject({ body, isBase64Encoded: true });
  });

  it.each([204, 304])('sends no Content-Length and no Content-Type with %i', async (statusCode) => {
    const url = await gateway({ list: () => ({ statusCode, headers: { ETag: '"1"' } }) });
    const { status, headers } = await exchange(url, '/plants', { authorization });
    expect([status, headers['etag']]).toEqual([statusCode, '"1"']);
    expect(Object.keys(headers)).not.toContain('content-length');
    expect(Object.keys(headers)).not.toContain('content-type');
  });

  it('sends the status, headers and decoded body that the function returns', async () => {
    const result = { statusCode: 201, headers: { 'X-Number': 7 }, body: 'WzFd', isBase64Encoded: true };
    const { status, headers, body } = await exchange(await gateway({ list: () => result }), '/plants', {
      authorization,
    });
    const { 'content-type': type, 'x-number': number } = headers;
    expect([status, type, number, body]).toEqual([201, 'text/plain;charset=UTF-8', '7', [1]]);
  });

  /** The response to `GET /plants`, and the lines that the gateway logs. */
  const exchangeAndLog = async (functions: Functions) => {
    const lines: string[] = [];
    const url = await gateway(functions, 60, (line) => lines.push(line));
    const { status, body } = await exchange(url, '/plants', { authorization });
    return { status, body, lines };
  };
  const internalError = { status: 500, body: { message: 'Internal Server Error' } };
  const requestLine: unknown = expect.stringMatching(/^GET \/plants 500, /);

  it.each<[string, Functions]>([
    ['function', { list: fail }],
    ['authorizer', { authorizer: fail }],
  ])('responds 500 if the %s fails', async (_, functions) => {
    expect(await exchangeAndLog(functions)).toEqual({ ...internalError, lines: [requestLine] });
  });

  const noStatus = 'The function of GET /plants returned no valid statusCode.';
  it.each<[string, Functions, problem: string]>([
    ['a malformed status', { list: () => ({ statusCode: 'x' }) }, noStatus],
    ['a result without a status', { list: () => ({}) }, noStatus],
    ['a malformed decision', { authorizer: () => 'yes' }, 'The authorizer returned no valid object.'],
  ])('responds 500 to %s, and logs which function returned what', async (_, functions, problem) => {
    expect(await exchangeAndLog(functions)).toEqual({ ...internalError, lines: [problem, requestLine] });
  });

  it('invokes authorizer and function with one id, the route’s key and the decoded path', async () => {
    const received: unknown[] = [];
    const record = (event: unknown): unknown => {
      received.push(event);
      return { isAuthorized: true, statusCode: 200 };
    };
    const url = await gateway({ authorizer: record, add: record });
    const options = { method: 'POST', headers: { authorization } };
    const { headers } = await fetch(`${url}/plants/red%20oak%252F?limit=1`, options);
    const [routeKey, path] = ['POST /plants/{name}', '/plants/red oak%2F'];
    const event = {
      version: '2.0',
      routeKey,
      rawPath: path,
      rawQueryString: 'limit=1',
      pathParameters: { name: 'red oak%2F' },
      // The caller gets the id, too.
      requestContext: { requestId: headers.get('apigw-requestid'), routeKey, http: { path } },
    };
    expect(received).toMatchObject([event, event]);
  });

  /** The status for a request with a header of this length. */
  const statusWithHeader = async (length: number): Promise<number> => {
    const headers = { authorization, a: 'a'.repeat(length) };
    return (await fetch(`${await gateway({})}/plants`, { headers })).status;
  };

  it('accepts a request with headers within the quota of 10 KB', async () => {
    expect(await statusWithHeader(10_000)).toBe(200);
  });

  it('responds 431 to a request with headers above the quota of 10 KB', async () => {
    expect(await statusWithHeader(10_240)).toBe(431);
  });

  it.each([
    ['/plants/oak?cursor=oak', 'POST /plants/{name} 200, N ms'],
    ['/shrubs/oak', 'no route 404, N ms'],
  ])('logs a request of %s by its route, because a path can hold a plant’s name', async (path, line) => {
    const lines: string[] = [];
    const url = await gateway({}, 60, (logged) => lines.push(logged));
    await exchange(url, path, { authorization }, 'POST');
    expect(lines.map((logged) => logged.replace(/\d+ ms/, 'N ms'))).toEqual([line]);
  });
});

describe('the local gateway’s cache of decisions', () => {
  it('keeps a decision for each identity, and no failure of the authorizer', async () => {
    const invoked: string[] = [];
    const authorizer: Function = (event) => {
      const [identity = ''] = /good|bad|broken/.exec(JSON.stringify(event)) ?? [];
      invoked.push(identity);
      return identity === 'broken' ? fail(event) : { isAuthorized: identity === 'good' };
    };
    const url = await gateway({ authorizer });
    const statuses: number[] = [];
    for (const identity of ['good', 'good', 'bad', 'bad', 'good', 'broken', 'broken']) {
      statuses.push(await statusOf(url, identity));
      // The seven pauses take 140 ms, so a cache time of 60 ms in place of 60 s would show.
      await delay(20);
    }
    expect(statuses).toEqual([200, 200, 403, 403, 200, 500, 500]);
    expect(invoked).toEqual(['good', 'bad', 'broken', 'broken']);
  });

  it('expires a decision after the API’s cache time', async () => {
    let invocations = 0;
    const authorizer: Function = () => {
      invocations += 1;
      return { isAuthorized: false };
    };
    const url = await gateway({ authorizer }, 0.05);
    await expect.poll(async () => [await statusOf(url), invocations]).toEqual([403, 2]);
  });
});

const tooLarge = { message: 'Request Entity Too Large' };
const maxBodyBytes = 10 * 1024 * 1024;

/** The request line and the headers of a request, as they are sent. */
const head = (target: string, headers: Readonly<Record<string, string | number>> = {}, method = 'POST') =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** Sends bytes as they are, and reads until the received text matches. */
const exchangeBytes = async (url: string, sent: string, expected: RegExp): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  let received = '';
  try {
    socket.write(sent);
    for await (const text of socket) {
      received += z.string().parse(text);
      if (expected.test(received)) return received;
    }
    throw new Error(`The connection was closed after ${received}`);
  } finally {
    socket.destroy();
  }
};

const responseTo = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });

describe('the local gateway responds before the body', () => {
  const deny: Function = () => ({ isAuthorized: false });
  it.each<[string, number, string, Readonly<Record<string, string | number>>, Functions]>([
    ['on an unknown path', 404, '/shrubs', { authorization, 'content-length': 5 }, {}],
    ['without a token', 401, '/plants/oak', { 'content-length': 5 }, {}],
    ['with a chunked body without a token', 401, '/plants/oak', { 'transfer-encoding': 'chunked' }, {}],
    ['with a denied token', 403, '/plants/oak', { authorization, 'content-length': 5 }, { authorizer: deny }],
    [
      'with an authorizer that fails',
      500,
      '/plants/oak',
      { authorization, 'content-length': 5 },
      { authorizer: fail },
    ],
    [
      'that is too large by its length',
      413,
      '/plants/oak',
      { authorization, 'content-length': maxBodyBytes + 1 },
      {},
    ],
    [
      'that is far too large by its length',
      413,
      '/plants/oak',
      { authorization, 'content-length': '1'.repeat(16) },
      {},
    ],
  ])('%s: %i', async (_, status, target, headers, functions) => {
    const response = await exchangeBytes(await gateway(functions), head(target, headers), /\}$/);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  });

  it('and then discards the body, so that the next request on the connection gets its response', async () => {
    const url = await gateway({});
    const body = 'a'.repeat(100_000);
    const requests = [
      head('/plants/oak', { 'content-length': body.length }) + body,
      head('/plants/oak', { 'transfer-encoding': 'chunked' }) + '5\r\nfern!\r\n0\r\n\r\n',
      head('/plants', { authorization }, 'GET'),
    ];
    const responses = await exchangeBytes(url, requests.join(''), /\[\]$/);
    expect(responses.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['401', '401', '200']);
  });
});

describe('a body that a client announces with Expect: 100-continue', () => {
  const expecting = { expect: '100-continue', 'content-length': 4 };

  it('is asked for after the token is accepted', async () => {
    const url = await gateway({});
    const { hostname, port } = new URL(url);
    const sent = httpRequest({
      hostname,
      port,
      path: '/plants/oak',
      method: 'POST',
      headers: { authorization, ...expecting },
    });
    sent.on('continue', () => sent.end('fern')).flushHeaders();
    const response = await responseTo(sent);
    expect([response.statusCode, await text(response)]).toEqual([
      200,
      expect.stringContaining('"body":"ZmVybg=="'),
    ]);
  });

  it.each([
    ['without a token', 401, expecting],
    ['that is too large', 413, { ...expecting, authorization, 'content-length': maxBodyBytes + 1 }],
  ])(
    'is not asked for %s, and the connection is closed, because the client may send the body all the same',
    async (_, status, headers) => {
      const response = await exchangeBytes(await gateway({}), head('/plants/oak', headers), /\}$/);
      expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} [^]*^connection: close\r$`, 'im'));
    },
  );
});

describe('a body of', () => {
  const post = async (body: string | ReadableStream): Promise<readonly unknown[]> => {
    let received = 0;
    const url = await gateway({
      add: (event) => {
        received = z.object({ body: z.string() }).parse(event).body.length;
        return ok;
      },
    });
    const headers = { authorization, 'content-type': 'text/plain' };
    const response = await fetch(`${url}/plants/oak`, { method: 'POST', headers, body, duplex: 'half' });
    return [response.status, await response.json(), received];
  };
  const parts = (bytes: number): ReadableStream =>
    ReadableStream.from([new Uint8Array(bytes - 1).fill(97), new Uint8Array(1).fill(97)]);

  const bodies = [
    ['with its length', (bytes: number) => 'a'.repeat(bytes)],
    ['in chunks', parts],
  ] as const;

  it.each(bodies)('10 MB %s is passed to the function', async (_, bodyOf) => {
    expect(await post(bodyOf(maxBodyBytes))).toEqual([200, [], maxBodyBytes]);
  });

  it.each(bodies)('more than 10 MB %s is refused', async (_, bodyOf) => {
    expect(await post(bodyOf(maxBodyBytes + 1))).toEqual([413, tooLarge, 0]);
  });

  it('a client that ends its connection is not passed to the function', async () => {
    const lines: string[] = [];
    const url = await gateway({}, 60, (line) => lines.push(line));
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(head('/plants/oak', { authorization, 'content-length': 9 }) + 'fern', () =>
      socket.destroy(),
    );
    await once(socket, 'close');
    expect(await statusOf(url)).toBe(200);
    expect(lines).toEqual([expect.stringMatching(/^GET \/plants 200/)]);
  });
});

describe('a connection to the local gateway', () => {
  it('gets a response to each of 20 pipelined requests, in their order', async () => {
    const slowFirst: Function = async (event) => {
      const { rawPath } = z.object({ rawPath: z.string() }).parse(event);
      if (rawPath.endsWith('/0')) await delay(100);
      return { statusCode: 200, body: `<${rawPath}>` };
    };
    const paths = Array.from({ length: 20 }, (_, index) => `/plants/${String(index)}`);
    const requests = paths.map((path) => head(path, { authorization, 'content-length': 4 }) + 'fern');
    const responses = await exchangeBytes(await gateway({ add: slowFirst }), requests.join(''), /\/19>$/);
    expect(responses.match(/(?<=<).+(?=>)/g)).toEqual(paths);
  });

  it('stays open after a response', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { port } = new URL(await gateway({}));
    const isReused = async (): Promise<boolean> => {
      const sent = httpRequest({
        port,
        host: '127.0.0.1',
        path: '/plants',
        agent,
        headers: { authorization },
      }).end();
      const response = await responseTo(sent);
      await text(response);
      return sent.reusedSocket;
    };
    expect([await isReused(), await isReused()]).toEqual([false, true]);
    agent.destroy();
  });
});

describe('a request target', () => {
  /** The response to a request, as it is received. */
  const responseOf = async (method: string, target: string): Promise<string> => {
    const end = method === 'HEAD' ? /\r\n\r\n$/ : /\}$/;
    return exchangeBytes(await gateway({ list: echo }), head(target, { authorization }, method), end);
  };

  it.each<[form: string, target: string, inEvent: readonly string[]]>([
    ['', 'http://127.0.0.1:3000/plants?limit=1', ['"host":"127.0.0.1:3000"', '"rawQueryString":"limit=1"']],
    [' with another host', 'http://plants.example.com/plants', ['"domainName":"plants.example.com"']],
    [' with capital letters in the scheme', 'HTTP://localhost/plants', ['"rawPath":"/plants"']],
  ])('in absolute form%s is accepted: GET %s', async (_, target, inEvent) => {
    const response = await responseOf('GET', target);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    for (const part of inEvent) expect(response).toContain(part);
  });

  it.each([
    ['in absolute form without a path', 'GET', 'http://localhost?limit=1'],
    ['in asterisk form', 'OPTIONS', '*'],
    ['with two slashes', 'GET', '//plants'],
    ['with a host after two slashes', 'GET', '//localhost/plants'],
    ['of a method that the API does not have', 'HEAD', '/plants'],
  ])('%s gets a 404: %s %s', async (_, method, target) => {
    expect(await responseOf(method, target)).toMatch(/^HTTP\/1\.1 404 /);
  });
});
