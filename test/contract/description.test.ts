import { describe, expect, it } from 'vitest';
import { contentDifferences, mostSpecific, undescribed } from './description.ts';

const json = { 'content-type': 'application/json' };
const uncached = { ...json, 'cache-control': 'private, no-store' };
const headersOf = { 200: { ...uncached, vary: 'Accept-Encoding' }, 400: uncached, 401: uncached, 403: json };
const message = 'Text.';

type Response = readonly [what: string, status: keyof typeof headersOf, body: unknown];

describe('a response under the contract', () => {
  it.each<Response>([
    ['a list of a plant with a tag', 200, [{ name: 'Fig', tag: 'tree' }]],
    ['a documented error', 400, { error: 1001, message }],
    ['an error for a caller without a valid token', 401, { error: 1004, message }],
    ['the body of the gateway', 401, { message }],
  ])('may be %s', (_, status, body) => {
    expect(undescribed('GET /plants', status, headersOf[status], body)).toEqual([]);
  });

  it.each<readonly [...Response, place: string]>([
    ['an undescribed field of a plant', 200, [{ name: 'Fig', note: 'secret' }], 'note'],
    ['a name of 901 characters', 200, [{ name: 'x'.repeat(901) }], '/0/name'],
    ['a tag of 901 characters', 200, [{ name: 'Fig', tag: 'x'.repeat(901) }], '/0/tag'],
    ['an undescribed error value', 400, { error: 1999, message }, '/error'],
    ['an undescribed field of an error', 400, { error: 1001, message, limit: 5 }, 'limit'],
    ['an undescribed error value with status 401', 401, { error: 1999, message }, '/error'],
    ['an undescribed field of an error with status 401', 401, { error: 1004, message, limit: 5 }, 'limit'],
    ['an undescribed field of the gateway’s body', 403, { message, limit: 5 }, 'limit'],
  ])('may not have %s', (_, status, body, place) => {
    expect(undescribed('GET /plants', status, headersOf[status], body).join()).toContain(place);
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

  it('to a request without a route may be the gateway’s own', () => {
    const response = [404, json, { message: 'Not Found' }] as const;
    expect(undescribed('POST /plants?limit=1', ...response)).toEqual([]);
    expect(undescribed('GET /', ...response)).toEqual([]);
  });
});
