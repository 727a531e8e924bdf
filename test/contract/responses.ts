import { describe, expect, it } from 'vitest';
import { serviceDescription } from '../../smoke/response-differences.ts';
import { item } from '../support/table/plants.ts';
import { callerWith, newCaller, plantsIn, readPages } from './plants.ts';
import type { Target } from './target.ts';

export const describeResponses = (target: () => Target): void => {
  // Each response must be as openapi.yaml describes, so also its Cache-Control and Vary.
  describe('content coding', () => {
    it.each([
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['deflate', 'no coding'],
    ])('responds to Accept-Encoding: %s with %s', async (acceptEncoding, coding) => {
      const caller = newCaller(target());
      await target().put(
        Array.from({ length: 20 }, (_, id) => item(caller.principal, 'x'.repeat(500), String(id))),
      );
      const response = await caller.get('/plants', { 'accept-encoding': acceptEncoding });
      const expected = target().gateway.passesLowerCase ? coding : 'no coding';
      expect(response.headers['content-encoding'] ?? 'no coding').toBe(expected);
      expect(plantsIn(response)).toHaveLength(20);
      expect(response.bytes < 8192).toBe(expected !== 'no coding');
    });

    it('does not compress a small response', async () => {
      const caller = await callerWith(target(), 'Rose');
      const { headers } = await caller.get('/plants', { 'accept-encoding': 'br, gzip' });
      expect(headers['content-encoding']).toBeUndefined();
    });
  });

  const requests = ['GET /', 'GET /plant', 'GET /plants/1', 'POST /plants', 'DELETE /plants'];
  it.each(requests.filter((request) => serviceDescription.routeOf(request) === undefined))(
    'responds with 404 to %s, which has no route',
    async (request) => {
      const [method, path = ''] = request.split(' ');
      const { status, body } = await newCaller(target()).get(path, {}, method);
      expect([status, body]).toEqual(target().gateway.notFound);
    },
  );

  it('rejects a list of more than 6 MB with error 1003, and lists all of it in pages', async () => {
    const caller = newCaller(target());
    // Compressed, the list would have a few kilobytes.
    const tag = '竹'.repeat(300);
    const items = Array.from({ length: 7000 }, (_, id) =>
      item(caller.principal, `plant ${String(id).padStart(4, '0')}`, String(id).padStart(4, '0'), tag),
    );
    await target().put(items);
    const response = await caller.get('/plants', { 'accept-encoding': 'br' });
    expect(response).toMatchObject({ status: 400, body: { error: 1003 } });
    const pages = await readPages(caller, 3000);
    expect(pages.map((page) => page.length)).toEqual([3000, 3000, 1000]);
  });
};
