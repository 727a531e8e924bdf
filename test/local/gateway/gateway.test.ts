import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Route } from '../../../local/gateway/find-route.ts';
import { gatewayResponse, gatewayServer, httpApi } from '../../../local/gateway/gateway.ts';
import { exchange } from '../../contract/client.ts';
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
  readonly find?: Function;
}

/** A gateway with the routes `GET /plants` and `POST /plants/{name}`. */
const gateway = async (
  { authorizer = allow, list = () => ok, find = echo }: Functions,
  cacheSeconds = 60,
  log?: (line: string) => void,
): Promise<string> => {
  const invoke =
    (run: Function): Route['invoke'] =>
    async (event) =>
      Promise.resolve(run(event));
  const routes = [
    { key: 'GET /plants', invoke: invoke(list) },
    { key: 'POST /plants/{name}', invoke: invoke(find) },
  ];
  const server = gatewayServer(httpApi(routes, invoke(authorizer), cacheSeconds, log));
  servers.push(server);
  return startServer(server);
};

const authorization = 'x';
const statusOf = async (url: string, identity = authorization): Promise<number> =>
  (await fetch(`${url}/plants`, { headers: { authorization: identity } })).status;

// The contract in process covers routes, refusals and the authorizer's context: it runs behind this gateway.
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

  it.each([
    ['application/json; charset=utf-8', '{"name":"竹"}', '{"name":"竹"}', false],
    ['text/csv', 'name\nRose', 'name\nRose', false],
    ['image/png', '\u0000png', 'AHBuZw==', true],
    ['application/json', Uint8Array.of(0xff), '/w==', true],
  ])('passes a body of type %s', async (type, sent, body, isBase64Encoded) => {
    const url = `${await gateway({})}/plants/oak`;
    const options = { method: 'POST', headers: { authorization, 'content-type': type }, body: sent };
    expect(await (await fetch(url, options)).json()).toMatchObject({ body, isBase64Encoded });
  });

  it('sends the status, headers and decoded body that the function returns', async () => {
    const result = { statusCode: 201, headers: { 'X-Number': 7 }, body: 'WzFd', isBase64Encoded: true };
    const { status, headers, body } = await exchange(await gateway({ list: () => result }), '/plants', {
      authorization,
    });
    const { 'content-type': type, 'x-number': number } = headers;
    expect([status, type, number, body]).toEqual([201, 'text/plain;charset=UTF-8', '7', [1]]);
  });

  it.each<[string, Functions, RegExp?]>([
    ['a function that fails', { list: fail }],
    ['a malformed result', { list: () => ({ statusCode: 'x' }) }, /no valid statusCode\.$/],
    ['a result without a status', { list: () => ({}) }, /no valid statusCode\.$/],
    ['an authorizer that fails', { authorizer: fail }],
    ['an authorizer without decision', { authorizer: () => 'yes' }, /no valid object\.$/],
  ])('responds 500 to %s, and logs what is malformed in a result', async (_, functions, problem) => {
    const lines: string[] = [];
    const url = await gateway(functions, 60, (line) => lines.push(line));
    const { status, body } = await exchange(url, '/plants', { authorization });
    expect([status, body]).toEqual([500, { message: 'Internal Server Error' }]);
    const expected = [...(problem === undefined ? [] : [problem]), /^GET \/plants 500, /];
    expect(lines).toEqual(expected.map((each): unknown => expect.stringMatching(each)));
  });

  it('invokes authorizer and function with one id, the route’s key and the decoded path', async () => {
    const received: unknown[] = [];
    const record = (event: unknown): unknown => {
      received.push(event);
      return { isAuthorized: true, statusCode: 200 };
    };
    const url = await gateway({ authorizer: record, find: record });
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

  it.each([
    ['above', 10_240, 431],
    ['within', 10_000, 200],
  ])('responds to a request with headers %s the quota of 10 KB', async (_, length, status) => {
    const headers = { authorization, a: 'a'.repeat(length) };
    expect((await fetch(`${await gateway({})}/plants`, { headers })).status).toBe(status);
  });

  it.each([
    ['/plants/oak?cursor=oak', 'POST /plants/{name} 200, N ms'],
    ['/shrubs/oak', 'no route 404, N ms'],
  ])('logs a request of %s by its route, because a path can hold a plant’s name', async (path, line) => {
    const lines: string[] = [];
    const url = await gateway({}, 60, (each) => lines.push(each));
    await exchange(url, path, { authorization }, 'POST');
    expect(lines.map((each) => each.replace(/\d+ ms/, 'N ms'))).toEqual([line]);
  });
});

describe('the local gateway’s cache of decisions', () => {
  it('has one for each identity, but never a failure', async () => {
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
      // In all longer than 60 ms.
      await delay(20);
    }
    expect(statuses).toEqual([200, 200, 403, 403, 200, 500, 500]);
    expect(invoked).toEqual(['good', 'bad', 'broken', 'broken']);
  });

  it('expires a decision after the API’s cache time', async () => {
    let invocations = 0;
    const authorizer: Function = () => ({ isAuthorized: (invocations += 1) === 0 });
    const url = await gateway({ authorizer }, 0.05);
    await expect.poll(async () => [await statusOf(url), invocations]).toEqual([403, 2]);
  });
});

it('a gateway that is closed meanwhile sends its response, and the next gets the next request', async () => {
  const long = 'fern'.repeat(2_000_000);
  const named = (name: string): Server =>
    gatewayServer(async (message) => gatewayResponse(200, `${name} got ${await text(message)}`));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [first, second] = [named('first'), named('second')];
  const port = Number(new URL(await startServer(first)).port);
  const ask = async (): Promise<readonly unknown[]> => {
    const sent = httpRequest({ port, host: '127.0.0.1', agent, method: 'POST' }).end(long);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject);
    });
    first.close();
    return [await text(response), response.headers.connection, sent.reusedSocket];
  };
  const closed = once(first, 'close');
  expect(await ask()).toEqual([`{"message":"first got ${long}"}`, 'close', false]);
  await closed;
  await startServer(second, port);
  expect(await ask()).toEqual([`{"message":"second got ${long}"}`, 'close', false]);
  agent.destroy();
  await stopServer(second);
});
