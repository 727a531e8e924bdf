import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { buildHandler } from '../../../functions/list-plants/build-handler.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

describe('the function on Lambda', () => {
  const requests: { readonly headers: IncomingHttpHeaders; readonly body: unknown }[] = [];
  const store = createServer((request, response) => {
    void json(request).then((body) => {
      requests.push({ headers: request.headers, body });
      response.end('{"Items":[{"sortKey":{"S":"fern\\u00001"},"name":{"S":"fern"}}]}');
    });
  });
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await startServer(store);
  });
  afterAll(() => stopServer(store));

  const load = async (): Promise<ReturnType<typeof buildHandler>> =>
    (await import('../../../functions/list-plants/handler.ts')).handler;

  beforeEach(() => {
    // The module reads the environment when it is loaded.
    vi.resetModules();
    vi.useFakeTimers({ toFake: ['Date'], now: requestTime });
    vi.stubEnv('TABLE_NAME', 'Plants');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'session');
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('lists the plants of its table, with the credentials of its environment', async () => {
    const handler = await load();
    expect((await handler(listEvent(), lambdaContext)).body).toBe('[{"name":"fern"}]');
    expect(requests).toMatchObject([{ body: { TableName: 'Plants' } }]);
    const { authorization, 'x-amz-security-token': sessionToken } = requests[0]?.headers ?? {};
    expect(authorization).toMatch(/ Credential=AKIDEXAMPLE\/20300101\/eu-central-1\/dynamodb\//);
    expect(sessionToken).toBe('session');
  });

  it('refuses a caller whose token has expired, and logs that with its version', async () => {
    const info = vi.spyOn(console, 'info').mockReturnValue();
    vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '7');
    const handler = await load();
    vi.setSystemTime(requestTime + 60_000);
    expect((await handler(listEvent(), lambdaContext)).statusCode).toBe(401);
    expect(info.mock.calls).toEqual([[{ event: 'request-failed', error: 1004, version: '7' }]]);
  });

  it('does not guess the address of DynamoDB, which differs between the partitions of AWS', async () => {
    for (const none of ['', undefined]) {
      vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', none);
      await expect(load()).rejects.toThrow(/AWS_ENDPOINT_URL_DYNAMODB/);
      vi.resetModules();
    }
  });
});
