import { describe, expect, it } from 'vitest';
import { contentDifferences, mostSpecific, undescribed } from './description.ts';

const json = { 'content-type': 'application/json' };
const uncached = { ...json, 'cache-control': 'private, no-store' };
const message = 'Text.';

describe('a response under the contract', () => {
  it.each<readonly [what: string, status: 200 | 400 | 403, body: unknown, place: string]>([
    ['an undescribed field of a plant', 200, [{ name: 'Fig', note: 'secret' }], 'note'],
    ['a name of 901 characters', 200, [{ name: 'x'.repeat(901) }], '/0/name'],
    ['an undescribed error value', 400, { error: 1999, message }, '/error'],
    ['an undescribed field of an error', 400, { error: 1001, message, limit: 5 }, 'limit'],
    ['an undescribed field of the gateway’s body', 403, { message, limit: 5 }, 'limit'],
  ])('may not have %s', (_, status, body, place) => {
    const headers = { 200: { ...uncached, vary: 'Accept-Encoding' }, 400: uncached, 403: json }[status];
    expect(undescribed('GET /plants', status, headers, body)).toEqual([expect.stringContaining(place)]);
  });

  it('has no content if none is described', () => {
    expect(contentDifferences({}, {}, undefined)).toEqual([]);
    expect(contentDifferences({}, { ...json, 'content-length': '2' }, {})).toHaveLength(1);
  });

  it('is compared with the most specific route', () => {
    const routes = ['GET /plants/{name}', 'GET /plants/count', 'POST /plants/count'].map((key) => ({ key }));
    expect(mostSpecific(routes, 'GET /plants/count')).toEqual({ key: 'GET /plants/count' });
    expect(mostSpecific(routes, 'GET /plants/counts')).toEqual({ key: 'GET /plants/{name}' });
    expect(mostSpecific(routes, 'GET /plants/count/1')).toBeUndefined();
  });
});
