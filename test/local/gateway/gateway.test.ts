import type { Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { InvocationError } from '../../../local/lambda/invocation.ts';
import { httpApi } from '../../../local/gateway/http-api.ts';
import { gatewayServer } from '../../../local/gateway/gateway.ts';
import type { Cors, Route } from '../../../local/stack/read-stack.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { exchange, parseResponses } from '../../support/raw-http.ts';

const plain: Route = { key: 'GET /plants', functionId: 'List', timeout: 30_000, authorizer: undefined };
const guarded: Route = {
  ...plain,
  authorizer: { functionId: 'Authorizer', identityHeaders: ['authorization'], cacheSeconds: 60 },
};

type Functions = Readonly<Record<string, (event: unknown) => unknown>>;

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map(stopServer)));

/** A gateway in front of these functions. */
const gateway = async (routes: readonly Route[], functions: Functions, cors?: Cors): Promise<string> => {
  const invoke = async (functionId: string, event: unknown): Promise<unknown> =>
    Promise.resolve(functions[functionId]?.(event));
  const server = gatewayServer(httpApi({ routes, cors }, invoke));
  servers.push(server);
  return startServer(server);
};

const ok = { statusCode: 200, body: '[]' };
const resultOf = async (response: Response): Promise<readonly [number, unknown]> => [
  response.status,
  await response.json(),
];

describe('the local gateway', () => {
  it('invokes the function with an event in payload format 2.0', async () => {
    let event: unknown;
    const url = await gateway([plain], {
      List: (received) => {
        event = received;
        return ok;
      },
    });
    await fetch(`${url}/plants?limit=1&limit=2&q=a%20b&flag`, {
      headers: { 'X-Two': 'a', Cookie: 'one=1; two=2' },
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /plants',
      rawPath: '/plants',
      rawQueryString: 'limit=1&limit=2&q=a%20b&flag',
      queryStringParameters: { limit: '1,2', q: 'a b', flag: '' },
      cookies: ['one=1', 'two=2'],
      headers: { 'x-two': 'a' },
      requestContext: {
        http: { method: 'GET', path: '/plants' },
        stage: '$default',
        routeKey: 'GET /plants',
      },
      isBase64Encoded: false,
    });
  });

  it('keeps a second question mark in the query', async () => {
    const url = await gateway([plain], { List: (event) => event });
    const [, event] = await resultOf(await fetch(`${url}/plants??limit=1`));
    expect(event).toMatchObject({ rawQueryString: '?limit=1', queryStringParameters: { '?limit': '1' } });
  });

  it('sends the status, headers, cookies and decoded body that the function returns', async () => {
    const url = await gateway([plain], {
      List: () => ({
        statusCode: '201',
        headers: { 'X-Number': 7 },
        cookies: ['a=1', 'b=2'],
        body: Buffer.from('[1]').toString('base64'),
        isBase64Encoded: true,
      }),
    });
    const response = await fetch(`${url}/plants`);
    expect([response.status, response.headers.get('x-number'), response.headers.getSetCookie()]).toEqual([
      201,
      '7',
      ['a=1', 'b=2'],
    ]);
    expect(await response.text()).toBe('[1]');
  });

  it('sends a value without a status as the body of a 200', async () => {
    const url = await gateway([plain], { List: () => ({ name: 'Rose' }) });
    expect(await resultOf(await fetch(`${url}/plants`))).toEqual([200, { name: 'Rose' }]);
  });

  it('responds with 404 when no route matches', async () => {
    const url = await gateway([plain], { List: () => ok });
    for (const [path, method] of [
      ['/', 'GET'],
      ['/plants/', 'GET'],
      ['/plants', 'POST'],
      ['/PLANTS', 'GET'],
    ] as const) {
      const result = await resultOf(await fetch(`${url}${path}`, { method }));
      expect(result, path).toEqual([404, { message: 'Not Found' }]);
    }
  });

  it('responds to a function that fails with its own 500', async () => {
    const url = await gateway([plain], {
      List: () => {
        throw new InvocationError('secret');
      },
    });
    expect(await resultOf(await fetch(`${url}/plants`))).toEqual([500, { message: 'Internal Server Error' }]);
  });

  it('responds with 500 to a malformed result, and with 503 when the function exceeds the route’s timeout', async () => {
    const broken = await gateway([plain], { List: () => ({ statusCode: 'x' }) });
    const result = await resultOf(await fetch(`${broken}/plants`));
    expect(result).toEqual([500, { message: 'Internal Server Error' }]);
    const slow = await gateway([{ ...plain, timeout: 20 }], { List: () => new Promise(() => undefined) });
    expect(await resultOf(await fetch(`${slow}/plants`))).toEqual([503, { message: 'Service Unavailable' }]);
  });

  it('gives each request one id: for its caller, for the authorizer and for the function', async () => {
    const received: unknown[] = [];
    const record = (event: unknown): unknown => {
      received.push(event);
      return { isAuthorized: true, statusCode: 200 };
    };
    const url = await gateway([guarded], { Authorizer: record, List: record });
    const { headers } = await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
    const requestContext = { requestId: headers.get('apigw-requestid') };
    expect(received).toMatchObject([{ requestContext }, { requestContext }]);
  });

  it.each([
    ['has headers above the quota of 10 KB', `A: ${'a'.repeat(10_240)}\r\n`, 431],
    ['has headers within the quota', `A: ${'a'.repeat(10_000)}\r\nConnection: close\r\n`, 200],
    ['has a body of 600 MB, before the body', 'Content-Length: 600000000\r\nConnection: close\r\n', 200],
  ])('responds to a request that %s', async (_what, headers, status) => {
    const url = await gateway([plain], { List: () => ok });
    const received = await exchange(url, `GET /plants HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    expect(parseResponses(received)).toMatchObject([{ status }]);
  });

  describe('with an authorizer', () => {
    const context = { subject: 'alice' };

    it('does not invoke it when the identity header is missing', async () => {
      const url = await gateway([guarded], {
        Authorizer: () => {
          throw new Error('The authorizer was invoked.');
        },
      });
      expect(await resultOf(await fetch(`${url}/plants`))).toEqual([401, { message: 'Unauthorized' }]);
    });

    it('passes the authorizer’s context to the function', async () => {
      const url = await gateway([guarded], {
        Authorizer: () => ({ isAuthorized: true, context }),
        List: (event) => event,
      });
      const [, event] = await resultOf(await fetch(`${url}/plants`, { headers: { authorization: 'x' } }));
      expect(event).toMatchObject({ requestContext: { authorizer: { lambda: context } } });
    });

    it.each([
      ['denies', () => ({ isAuthorized: false, context }), 403, 'Forbidden'],
      ['returns a malformed result', () => 'yes', 500, 'Internal Server Error'],
      [
        'fails',
        () => {
          throw new InvocationError('x');
        },
        500,
        'Internal Server Error',
      ],
    ])('does not invoke the function when the authorizer %s', async (_what, Authorizer, status, message) => {
      const url = await gateway([guarded], { Authorizer, List: () => ok });
      const response = await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
      expect(await resultOf(response)).toEqual([status, { message }]);
    });

    it('caches a decision for the same identity, but never a failure', async () => {
      let invocations = 0;
      const url = await gateway([guarded], {
        Authorizer: (event) => {
          invocations += 1;
          if (JSON.stringify(event).includes('broken')) throw new InvocationError('x');
          return { isAuthorized: !JSON.stringify(event).includes('bad') };
        },
        List: () => ok,
      });
      const statuses: number[] = [];
      for (const authorization of ['good', 'good', 'bad', 'bad', 'good', 'broken', 'broken']) {
        statuses.push((await fetch(`${url}/plants`, { headers: { authorization } })).status);
      }
      expect([statuses, invocations]).toEqual([[200, 200, 403, 403, 200, 500, 500], 4]);
    });

    /** Sends a request with the same identity, and counts the authorizer's invocations so far. */
    const invocationCounter = async (cacheSeconds: number): Promise<() => Promise<number>> => {
      let invocations = 0;
      const authorizer = { functionId: 'Authorizer', identityHeaders: ['authorization'], cacheSeconds };
      const url = await gateway([{ ...plain, authorizer }], {
        Authorizer: () => ({ isAuthorized: (invocations += 1) > 0 }),
        List: () => ok,
      });
      return async () => {
        await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
        return invocations;
      };
    };

    it('does not take the decision of one authorizer for another’s', async () => {
      const strict: Route = {
        ...guarded,
        key: 'GET /seeds',
        authorizer: { functionId: 'Strict', identityHeaders: ['authorization'], cacheSeconds: 60 },
      };
      const url = await gateway([guarded, strict], {
        Authorizer: () => ({ isAuthorized: true }),
        Strict: () => ({ isAuthorized: false }),
        List: () => ok,
      });
      const headers = { authorization: 'x' };
      const statuses = [];
      for (const path of ['plants', 'seeds'])
        statuses.push((await fetch(`${url}/${path}`, { headers })).status);
      expect(statuses).toEqual([200, 403]);
    });

    it('keeps at most 1,000 decisions, and forgets the oldest first', async () => {
      const identities: unknown[] = [];
      const url = await gateway([guarded], {
        Authorizer: (event) => {
          identities.push(event);
          return { isAuthorized: false };
        },
      });
      const ask = (caller: number) =>
        fetch(`${url}/plants`, { headers: { authorization: `caller ${String(caller)}` } });
      for (let caller = 0; caller <= 1000; caller += 1) await ask(caller);
      for (const caller of [1000, 0, 2]) await ask(caller);
      expect(identities).toHaveLength(1002);
    });

    it('invokes it again when the cached decision has expired', async () => {
      await expect.poll(await invocationCounter(0.05)).toBe(2);
    });

    it('invokes it for each request when the API caches no decisions', async () => {
      const invocations = await invocationCounter(0);
      expect([await invocations(), await invocations()]).toEqual([1, 2]);
    });
  });

  describe('with CORS', () => {
    const cors: Cors = {
      AllowOrigins: ['https://plants.example.com'],
      AllowMethods: ['GET'],
      AllowHeaders: ['authorization'],
      ExposeHeaders: ['link'],
      MaxAge: 60,
    };

    it('responds to a preflight request of an allowed origin without an invocation', async () => {
      const url = await gateway([guarded], {}, cors);
      const response = await fetch(`${url}/plants`, {
        method: 'OPTIONS',
        headers: { origin: 'https://plants.example.com', 'access-control-request-method': 'GET' },
      });
      expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
        204,
        {
          'access-control-allow-origin': 'https://plants.example.com',
          'access-control-allow-methods': 'GET',
          'access-control-allow-headers': 'authorization',
          'access-control-max-age': '60',
        },
      ]);
    });

    it.each([
      ['https://plants.example.com', 'https://plants.example.com'],
      ['https://other.example.com', null],
    ])('allows a page of %s to read the response: %s', async (origin, allowed) => {
      const url = await gateway([plain], { List: () => ok }, cors);
      const response = await fetch(`${url}/plants`, { headers: { origin } });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, allowed]);
    });
  });
});
