import type { Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { InvocationError } from '../../../local/lambda/invocation.ts';
import { apiResponder } from '../../../local/gateway/api-responder.ts';
import { gatewayServer } from '../../../local/gateway/gateway.ts';
import type { Route } from '../../../local/stack/read-stack.ts';
import { exchange as request } from '../../contract/client.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { parseResponses, sendRaw } from '../../support/raw-http.ts';

const plain: Route = { key: 'GET /plants', functionId: 'List', timeout: 30_000, authorizer: undefined };
const guardedFor = (cacheSeconds: number): Route => ({
  ...plain,
  authorizer: { functionId: 'Authorizer', identityHeaders: ['authorization'], cacheSeconds },
});
const guarded = guardedFor(60);

type Functions = Readonly<Record<string, (event: unknown) => unknown>>;

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map(stopServer)));

/** A gateway in front of these functions. */
const gateway = async (routes: readonly Route[], functions: Functions): Promise<string> => {
  const invoke = async (functionId: string, event: unknown): Promise<unknown> =>
    Promise.resolve(functions[functionId]?.(event));
  const server = gatewayServer(apiResponder(routes, invoke));
  servers.push(server);
  return startServer(server);
};

const ok = { statusCode: 200, body: '[]' };
const fail = (): never => {
  throw new InvocationError('secret');
};
/** The status of a request with this identity. */
const statusOf = async (url: string, authorization = 'x', path = 'plants'): Promise<number> =>
  (await fetch(`${url}/${path}`, { headers: { authorization } })).status;

// The contract in process covers routes, refusals and the authorizer's context: it runs behind this gateway.
describe('the local gateway', () => {
  it.each([
    [
      '?limit=1&limit=2&q=a%20b&flag',
      {
        version: '2.0',
        routeKey: 'GET /plants',
        rawPath: '/plants',
        rawQueryString: 'limit=1&limit=2&q=a%20b&flag',
        queryStringParameters: { limit: '1,2', q: 'a b', flag: '' },
        cookies: ['one=1', 'two=2'],
        headers: { 'x-two': 'a,b' },
        requestContext: {
          http: { method: 'GET', path: '/plants' },
          stage: '$default',
          routeKey: 'GET /plants',
        },
        isBase64Encoded: false,
      },
    ],
    ['??limit=1', { rawQueryString: '?limit=1', queryStringParameters: { '?limit': '1' } }],
  ])('invokes the function with an event in payload format 2.0: %s', async (query, event) => {
    const url = await gateway([plain], { List: (received) => received });
    const headers = { 'X-Two': ['a', 'b'], Cookie: 'one=1; two=2' };
    // A value without a status is the body of a 200.
    const { body } = await request(url, `/plants${query}`, headers);
    expect(body).toMatchObject(event);
    expect(body).not.toHaveProperty('pathParameters');
  });

  it('sends the status, headers and decoded body that the function returns', async () => {
    const url = await gateway([plain], {
      List: () => ({
        statusCode: '201',
        headers: { 'X-Number': 7 },
        body: Buffer.from('[1]').toString('base64'),
        isBase64Encoded: true,
      }),
    });
    const response = await fetch(`${url}/plants`);
    const sent = [response.status, response.headers.get('x-number'), await response.text()];
    expect(sent).toEqual([201, '7', '[1]']);
  });

  it.each<[string, Route, Functions, number, string]>([
    ['a function that fails', plain, { List: fail }, 500, 'Internal Server Error'],
    ['a malformed result', plain, { List: () => ({ statusCode: 'x' }) }, 500, 'Internal Server Error'],
    [
      'a function that exceeds the route’s timeout',
      { ...plain, timeout: 20 },
      { List: () => new Promise(() => undefined) },
      503,
      'Service Unavailable',
    ],
    ['an authorizer that fails', guarded, { Authorizer: fail }, 500, 'Internal Server Error'],
    ['an authorizer without decision', guarded, { Authorizer: () => 'yes' }, 500, 'Internal Server Error'],
  ])('has its own response to %s', async (_, route, functions, status, message) => {
    const url = await gateway([route], functions);
    const response = await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
    expect([response.status, await response.json()]).toEqual([status, { message }]);
  });

  it('invokes authorizer and function with one id, the route’s key and the decoded path', async () => {
    const received: unknown[] = [];
    const record = (event: unknown): unknown => {
      received.push(event);
      return { isAuthorized: true, statusCode: 200 };
    };
    const routeKey = 'GET /plants/{name}';
    const url = await gateway([plain, { ...guarded, key: routeKey }], { Authorizer: record, List: record });
    const target = `${url}/plants/red%20oak%252F?limit=1`;
    const { status, headers } = await fetch(target, { headers: { authorization: 'x' } });
    expect(status).toBe(200);
    const path = '/plants/red oak%2F';
    const event = {
      version: '2.0',
      routeKey,
      rawPath: path,
      rawQueryString: 'limit=1',
      pathParameters: { name: 'red oak%2F' },
      // The caller gets the id, too.
      requestContext: { requestId: headers.get('apigw-requestid'), routeKey, http: { method: 'GET', path } },
    };
    expect(received).toMatchObject([event, event]);
  });

  it.each([
    ['has headers above the quota of 10 KB', `A: ${'a'.repeat(10_240)}\r\n`, 431],
    ['has headers within the quota', `A: ${'a'.repeat(10_000)}\r\nConnection: close\r\n`, 200],
    ['has a body of 600 MB, before it arrives', 'Content-Length: 600000000\r\nConnection: close\r\n', 200],
  ])('responds to a request that %s', async (_what, headers, status) => {
    const url = await gateway([plain], { List: () => ok });
    const received = await sendRaw(url, `GET /plants HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    expect(parseResponses(received)).toMatchObject([{ status }]);
  });
});

describe('the local gateway’s cache of decisions', () => {
  it('has one for each identity, but never a failure', async () => {
    const invoked: string[] = [];
    const url = await gateway([guarded], {
      Authorizer: (event) => {
        const [identity = ''] = /good|bad|broken/.exec(JSON.stringify(event)) ?? [];
        invoked.push(identity);
        return identity === 'broken' ? fail() : { isAuthorized: identity === 'good' };
      },
      List: () => ok,
    });
    const statuses: number[] = [];
    for (const identity of ['good', 'good', 'bad', 'bad', 'good', 'broken', 'broken'])
      statuses.push(await statusOf(url, identity));
    expect(statuses).toEqual([200, 200, 403, 403, 200, 500, 500]);
    expect(invoked).toEqual(['good', 'bad', 'broken', 'broken']);
  });

  it('separates the decisions of different authorizers', async () => {
    const authorizer = { functionId: 'Strict', identityHeaders: ['authorization'], cacheSeconds: 60 };
    const url = await gateway([guarded, { ...plain, key: 'GET /seeds', authorizer }], {
      Authorizer: () => ({ isAuthorized: true }),
      Strict: () => ({ isAuthorized: false }),
      List: () => ok,
    });
    expect([await statusOf(url), await statusOf(url, 'x', 'seeds')]).toEqual([200, 403]);
  });

  /** A gateway, and how often its authorizer was invoked. */
  const counting = async (cacheSeconds: number) => {
    let invocations = 0;
    const Authorizer = () => ({ isAuthorized: (invocations += 1) === 0 });
    return { url: await gateway([guardedFor(cacheSeconds)], { Authorizer }), count: () => invocations };
  };

  it('evicts all decisions when it has 1,000', async () => {
    const { url, count } = await counting(60);
    for (let caller = 0; caller <= 1000; caller += 1) await statusOf(url, `caller ${String(caller)}`);
    for (const caller of [1000, 0]) await statusOf(url, `caller ${String(caller)}`);
    expect(count()).toBe(1002);
  });

  it('expires a decision after the API’s cache time, and stores none when that time is 0', async () => {
    const { url, count } = await counting(0.05);
    await expect.poll(async () => [await statusOf(url), count()]).toEqual([403, 2]);
    const none = await counting(0);
    for (const expected of [1, 2]) expect([await statusOf(none.url), none.count()]).toEqual([403, expected]);
  });
});
