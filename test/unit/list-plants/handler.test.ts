import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lambdaContext } from '../../support/lambda-context.ts';
import { item } from '../../support/table/plants.ts';
import { useLambda } from '../lambda-environment.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

describe('the list function on Lambda', () => {
  const requests: { readonly headers: IncomingHttpHeaders; readonly body: unknown }[] = [];
  const store = createServer((request, response) => {
    void json(request).then((body) => {
      requests.push({ headers: request.headers, body });
      response.end(JSON.stringify({ Items: [item('user#alice', 'fern')] }));
    });
  });
  const environment = {
    TABLE_NAME: 'Plants',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'session',
    AWS_LAMBDA_FUNCTION_VERSION: '7',
  };
  beforeAll(async () => {
    Object.assign(environment, { AWS_ENDPOINT_URL_DYNAMODB: await startServer(store) });
  });
  afterAll(() => stopServer(store));
  useLambda(environment, requestTime);
  const load = () => import('../../../functions/list-plants/handler.ts');

  it('lists the plants of its table with its credentials, until the caller’s token expires', async () => {
    const info = vi.spyOn(console, 'info').mockReturnValue();
    const { handler } = await load();
    const { body = '' } = await handler(listEvent(), lambdaContext);
    expect(JSON.parse(body)).toMatchObject([{ name: 'fern' }]);
    const sent = { headers: { 'x-amz-security-token': 'session' }, body: { TableName: 'Plants' } };
    expect(requests).toMatchObject([sent]);
    expect(requests[0]?.headers.authorization).toContain('=AKIDEXAMPLE/20300101/eu-central-1/dynamodb/');
    vi.setSystemTime(requestTime + 60_000);
    expect((await handler(listEvent(), lambdaContext)).statusCode).toBe(401);
    expect(info.mock.calls).toEqual([[{ event: 'request-failed', error: 1004, version: '7' }]]);
  });

  it('queries the empty dummy partition before its first event', async () => {
    requests.length = 0;
    await (await load()).warmUp();
    const values = { ':principal': { S: 'nobody' } };
    expect(requests).toMatchObject([{ body: { ExpressionAttributeValues: values, Limit: 2 } }]);
  });

  // No endpoint is derived from the Region, because host names differ between AWS's partitions.
  it('does not load without AWS_ENDPOINT_URL_DYNAMODB', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined);
    await expect(load()).rejects.toThrow(/AWS_ENDPOINT_URL_DYNAMODB/);
  });

  it('says to pass a smaller limit when the deadline comes before the response', async () => {
    store.removeAllListeners('request');
    vi.spyOn(console, 'error').mockReturnValue();
    const { handler } = await load();
    const late = { ...lambdaContext, getRemainingTimeInMillis: () => 0 };
    expect((await handler(listEvent(), late)).body).toContain('smaller limit');
  });
});
