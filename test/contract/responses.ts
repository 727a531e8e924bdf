import { describe, expect, it } from 'vitest';
import { serviceDescription } from '../../smoke/response-differences.ts';
import { item } from '../support/table/plants.ts';
import type { ServiceResponse } from '../../smoke/client.ts';
import { callerWith, newCaller, plantsIn, readPages } from './plants.ts';
import type { Target } from './target.ts';

export const describeResponses = (target: () => Target): void => {
  // `send` compares each response with openapi.yaml, including Cache-Control and Vary.
  describe('content coding', () => {
    /** The response to a caller with 20 plants, which have more than 8 KB. */
    const longResponse = async (acceptEncoding: string): Promise<ServiceResponse> => {
      const caller = newCaller(target());
      await target().put(
        Array.from({ length: 20 }, (_, id) => item(caller.principal, 'x'.repeat(500), String(id))),
      );
      const response = await caller.get('/plants', { 'accept-encoding': acceptEncoding });
      expect(plantsIn(response)).toHaveLength(20);
      return response;
    };

    it.each(['br', 'gzip'])(
      'compresses for Accept-Encoding: %s if and only if the gateway passes header names in lower case',
      async (coding) => {
        const response = await longResponse(coding);
        const { passesLowerCaseHeaders } = target().gateway;
        expect(response.headers['content-encoding']).toBe(passesLowerCaseHeaders ? coding : undefined);
        expect(response.bytes < 8192).toBe(passesLowerCaseHeaders);
      },
    );

    it('responds to Accept-Encoding: deflate without a coding', async () => {
      const response = await longResponse('deflate');
      expect(response.headers['content-encoding']).toBeUndefined();
      expect(response.bytes).toBeGreaterThan(8192);
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

  it('rejects a list of more than 6 MB with error 1003, and lists all its plants in pages', async () => {
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
