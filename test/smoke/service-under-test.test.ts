import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceUnderTest } from '../../smoke/service-under-test.ts';
import { type FakeServer, type ReceivedRequest, startFakeServer } from '../support/fake-server.ts';

const requests: ReceivedRequest[] = [];
let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer((request) => {
    requests.push(request);
    return Promise.resolve({ status: 299, headers: {}, body: Buffer.from('{}') });
  });
});
afterAll(() => server.close());

it('sends the given method, headers and body without the token; a difference names the method', async () => {
  const { send, differences } = serviceUnderTest(server.url, 'token');
  const response = await send('/plants/1?a=b', { 'if-match': '"1"' }, 'PUT', '{"name":"Rose"}');
  expect(response).toMatchObject({ status: 299, body: {} });
  const [{ method, path, headers, body } = {}] = requests;
  expect([method, path, body?.toString()]).toEqual(['PUT', '/plants/1?a=b', '{"name":"Rose"}']);
  expect(headers).toMatchObject({ 'if-match': '"1"', 'user-agent': 'plant-store-smoke' });
  expect(headers).not.toHaveProperty('authorization');
  expect([...differences.values()]).toContain('PUT /plants/1?a=b');
});

it('sends the user’s token with GET by default', async () => {
  requests.length = 0;
  await serviceUnderTest(server.url, 'token').send('/plants');
  expect(requests).toMatchObject([{ method: 'GET', headers: { authorization: 'Bearer token' } }]);
});
