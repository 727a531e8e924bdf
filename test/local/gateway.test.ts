import { afterEach, describe, expect, it } from 'vitest';
import { InvocationError } from '../../local/lambda/invocation.ts';
import type { Deployment } from '../../local/gateway/deployment.ts';
import { gatewayServer } from '../../local/gateway/gateway.ts';
import { listen } from '../../local/listen.ts';
import type { Cors, Route } from '../../local/stack/stack.ts';
import { exchange, parseAnswers } from '../support/raw-http.ts';

const plain: Route = { key: 'GET /plants', functionId: 'List', timeout: 30_000 };
const guarded: Route = {
  ...plain,
  authorizer: { functionId: 'Authorizer', identityHeaders: ['authorization'], cacheSeconds: 60 },
};

type Functions = Readonly<Record<string, (event: unknown) => unknown>>;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A gateway in front of these functions. */
const gateway = async (routes: readonly Route[], functions: Functions, cors?: Cors): Promise<string> => {
  const deployment: Deployment = {
    api: { routes, cors },
    invoke: async (functionId, event) => Promise.resolve(functions[functionId]?.(event)),
  };
  const server = gatewayServer(() => Promise.resolve(deployment));
  const port = await listen(server, 0, 'PORT');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String(port)}`;
};

const ok = { statusCode: 200, body: '[]' };
const answerOf = async (response: Response): Promise<readonly [number, unknown]> => [
  response.status,
  await response.json(),
];

describe('the local gateway', () => {
  it('passes a request on in payload format 2.0', async () => {
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

  it('leaves a question mark that belongs to a parameter to it', async () => {
    const url = await gateway([plain], { List: (event) => event });
    const [, event] = await answerOf(await fetch(`${url}/plants??limit=1`));
    expect(event).toMatchObject({ rawQueryString: '?limit=1', queryStringParameters: { '?limit': '1' } });
  });

  it('sends what the function returned: status, headers, cookies and a decoded body', async () => {
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

  it('takes a value without a status as the body of a 200', async () => {
    const url = await gateway([plain], { List: () => ({ name: 'Rose' }) });
    expect(await answerOf(await fetch(`${url}/plants`))).toEqual([200, { name: 'Rose' }]);
  });

  it('answers 404 where no route matches', async () => {
    const url = await gateway([plain], { List: () => ok });
    for (const [path, method] of [
      ['/', 'GET'],
      ['/plants/', 'GET'],
      ['/plants', 'POST'],
      ['/PLANTS', 'GET'],
    ] as const) {
      expect(await answerOf(await fetch(`${url}${path}`, { method })), path).toEqual([
        404,
        { message: 'Not Found' },
      ]);
    }
  });

  it('prefers the most specific route', async () => {
    const keys = ['$default', 'ANY /{proxy+}', 'GET /plants/{id}', 'ANY /plants', 'GET /plants'];
    const url = await gateway(
      keys.map((key) => ({ ...plain, key })),
      { List: (event) => event },
    );
    const keyFor = async (method: string, path: string): Promise<unknown> => {
      const event: unknown = await (await fetch(`${url}${path}`, { method })).json();
      return event;
    };
    expect(await keyFor('GET', '/plants')).toMatchObject({ routeKey: 'GET /plants' });
    expect(await keyFor('PUT', '/plants')).toMatchObject({ routeKey: 'ANY /plants' });
    expect(await keyFor('GET', '/plants/7')).toMatchObject({
      routeKey: 'GET /plants/{id}',
      pathParameters: { id: '7' },
    });
    expect(await keyFor('PUT', '/a/b')).toMatchObject({
      routeKey: 'ANY /{proxy+}',
      pathParameters: { proxy: 'a/b' },
    });
    expect(await keyFor('GET', '/')).toMatchObject({ routeKey: '$default' });
  });

  it.each([
    ['crashed', 500, 'Internal Server Error'],
    ['response-too-large', 500, 'Internal Server Error'],
    ['timed-out', 503, 'Service Unavailable'],
  ] as const)('answers for a function that %s with its own %i', async (kind, status, message) => {
    const url = await gateway([plain], {
      List: () => {
        throw new InvocationError(kind, 'secret');
      },
    });
    expect(await answerOf(await fetch(`${url}/plants`))).toEqual([status, { message }]);
  });

  it('answers 500 for a result that is no response, and 503 when the function takes too long', async () => {
    const broken = await gateway([plain], { List: () => ({ statusCode: 'x' }) });
    expect(await answerOf(await fetch(`${broken}/plants`))).toEqual([
      500,
      { message: 'Internal Server Error' },
    ]);
    const slow = await gateway([{ ...plain, timeout: 20 }], { List: () => new Promise(() => undefined) });
    expect(await answerOf(await fetch(`${slow}/plants`))).toEqual([503, { message: 'Service Unavailable' }]);
  });

  describe('over a raw connection', () => {
    const request = 'GET /plants HTTP/1.1\r\nHost: a\r\n';
    const lastRequest = `${request}Connection: close\r\n\r\n`;
    const answers = async (text: string): Promise<readonly (readonly [number, unknown])[]> => {
      const url = await gateway([plain], { List: () => ok });
      return parseAnswers(await exchange(url, text)).map(({ status, body }) => [status, body]);
    };

    it.each([
      ['is not HTTP', 'GET /plants HTTP/7\r\nHost: a\r\n\r\n', 400, 'Bad Request'],
      ['names no host', 'GET /plants HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'Bad Request'],
      ['names two hosts', `${request}Host: b\r\nConnection: close\r\n\r\n`, 400, 'Bad Request'],
      ['has a broken body', `${request}Transfer-Encoding: chunked\r\n\r\nx`, 400, 'Bad Request'],
      ['has a method nobody knows', 'PLANT /plants HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'Not Found'],
      ['asks for a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 404, 'Not Found'],
      [
        'has headers beyond the quota',
        `${request}A: ${'a'.repeat(1_000_000)}\r\n\r\n`,
        431,
        'Request Header Fields Too Large',
      ],
    ])('says in its own body that a message %s', async (_what, text, status, message) => {
      expect(await answers(text)).toEqual([[status, { message }]]);
    });

    it('takes headers within the quota', async () => {
      expect(await answers(`${request}A: ${'a'.repeat(10_000)}\r\nConnection: close\r\n\r\n`)).toEqual([
        [200, []],
      ]);
    });

    it('answers the requests before a broken one first', async () => {
      expect(await answers(`${request}\r\n${request}\r\n\0\r\n\r\n`)).toEqual([
        [200, []],
        [200, []],
        [404, { message: 'Not Found' }],
      ]);
    });

    it('takes no notice of an expectation that it does not know', async () => {
      expect(await answers(`${request}Expect: rain\r\n\r\n${lastRequest}`)).toEqual([
        [200, []],
        [200, []],
      ]);
    });

    it('asks a caller to go on, but never in the middle of an answer', async () => {
      const url = await gateway([plain], { List: () => ok });
      const expecting = `${request}Expect: 100-continue\r\nConnection: close\r\n\r\n`;
      expect(await exchange(url, expecting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
      expect(await answers(`${request}\r\n${expecting}`)).toEqual([
        [200, []],
        [200, []],
      ]);
    });

    it('does not wait for what follows a request to upgrade', async () => {
      const upgrade = 'Connection: upgrade\r\nUpgrade: websocket\r\n';
      expect(await answers(`${request}${upgrade}\r\n`)).toEqual([[200, []]]);
      expect(await answers(`${request}${upgrade}Transfer-Encoding: chunked\r\n\r\nx`)).toEqual([[200, []]]);
    });
  });

  describe('with an authorizer', () => {
    const context = { subject: 'alice' };

    it('asks nobody when the identity header is missing', async () => {
      const url = await gateway([guarded], {
        Authorizer: () => {
          throw new Error('nobody should ask');
        },
      });
      expect(await answerOf(await fetch(`${url}/plants`))).toEqual([401, { message: 'Unauthorized' }]);
    });

    it('tells the function what the authorizer said of the caller', async () => {
      const url = await gateway([guarded], {
        Authorizer: () => ({ isAuthorized: true, context }),
        List: (event) => event,
      });
      const [, event] = await answerOf(await fetch(`${url}/plants`, { headers: { authorization: 'x' } }));
      expect(event).toMatchObject({ requestContext: { authorizer: { lambda: context } } });
    });

    it.each([
      ['says no', () => ({ isAuthorized: false, context }), 403, 'Forbidden'],
      ['says nothing sensible', () => 'yes', 500, 'Internal Server Error'],
      [
        'fails',
        () => {
          throw new InvocationError('crashed', 'x');
        },
        500,
        'Internal Server Error',
      ],
    ])('keeps the function from a caller when it %s', async (_what, Authorizer, status, message) => {
      const url = await gateway([guarded], { Authorizer, List: () => ok });
      const response = await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
      expect(await answerOf(response)).toEqual([status, { message }]);
    });

    it('keeps an answer, yes or no, for the same identity only, and a failure never', async () => {
      let asked = 0;
      const url = await gateway([guarded], {
        Authorizer: (event) => {
          asked += 1;
          if (JSON.stringify(event).includes('broken')) throw new InvocationError('crashed', 'x');
          return { isAuthorized: !JSON.stringify(event).includes('bad') };
        },
        List: () => ok,
      });
      const statuses: number[] = [];
      for (const authorization of ['good', 'good', 'bad', 'bad', 'good', 'broken', 'broken']) {
        statuses.push((await fetch(`${url}/plants`, { headers: { authorization } })).status);
      }
      expect([statuses, asked]).toEqual([[200, 200, 403, 403, 200, 500, 500], 4]);
    });

    it('asks again once the time to keep an answer is over', async () => {
      let asked = 0;
      const authorizer = { functionId: 'Authorizer', identityHeaders: ['authorization'], cacheSeconds: 0.05 };
      const url = await gateway([{ ...plain, authorizer }], {
        Authorizer: () => ({ isAuthorized: (asked += 1) > 0 }),
        List: () => ok,
      });
      const ask = async (): Promise<number> => {
        await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
        return asked;
      };
      await expect.poll(ask).toBe(2);
    });

    it('asks every time when the API keeps no answers', async () => {
      let asked = 0;
      const authorizer = { functionId: 'Authorizer', identityHeaders: ['authorization'], cacheSeconds: 0 };
      const url = await gateway([{ ...plain, authorizer }], {
        Authorizer: () => ({ isAuthorized: (asked += 1) > 0 }),
        List: () => ok,
      });
      await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
      await fetch(`${url}/plants`, { headers: { authorization: 'x' } });
      expect(asked).toBe(2);
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

    it('answers a preflight request of an allowed origin without asking anybody', async () => {
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
    ])('lets a page of %s read the answer: %s', async (origin, allowed) => {
      const url = await gateway([plain], { List: () => ok }, cors);
      const response = await fetch(`${url}/plants`, { headers: { origin } });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, allowed]);
    });
  });
});
