import { describe, expect, it } from 'vitest';
import { mostSpecific, undescribed } from './description.ts';

const headers = {
  'content-type': 'application/json',
  'cache-control': 'private, no-store',
  vary: 'Accept-Encoding',
};
const message = 'Text.';

describe('a response as the tests check it', () => {
  it.each([
    ['a plant with a tag', 200, [{ name: 'Fig', tag: 'tree' }]],
    ['a documented error', 400, { error: 1001, message }],
    ['a caller without a valid token', 401, { error: 1004, message }],
    ['the body of the gateway', 401, { message }],
  ])('may be %s', (_, status, body) => {
    expect(
      undescribed('GET /plants', status, status === 200 ? headers : { ...headers, vary: undefined }, body),
    ).toEqual([]);
  });

  it.each([
    ['a field of a plant', 200, [{ name: 'Fig', note: 'secret' }], 'note'],
    ['a name of 901 characters', 200, [{ name: 'x'.repeat(901) }], '/0/name'],
    ['a tag of 901 characters', 200, [{ name: 'Fig', tag: 'x'.repeat(901) }], '/0/tag'],
    ['an error value', 400, { error: 1999, message }, '/error'],
    ['a field of an error', 400, { error: 1001, message, limit: 5 }, 'limit'],
    ['an error value with status 401', 401, { error: 1999, message }, '/error'],
    ['a field of an error with status 401', 401, { error: 1004, message, limit: 5 }, 'limit'],
    ['a field of the gateway’s body', 403, { message, limit: 5 }, 'limit'],
  ])('may not have %s that the description lacks', (_, status, body, place) => {
    const differences = undescribed(
      'GET /plants',
      status,
      {
        ...headers,
        vary: status === 200 ? headers.vary : undefined,
        'cache-control': status === 403 ? undefined : headers['cache-control'],
      },
      body,
    );
    expect(differences.join()).toContain(place);
  });

  it('is compared with the most specific route', () => {
    const routes = ['GET /plants/{name}', 'GET /plants/count', 'POST /plants/count'].map((key) => ({ key }));
    expect(mostSpecific(routes, 'GET /plants/count')).toEqual({ key: 'GET /plants/count' });
    expect(mostSpecific(routes, 'GET /plants/counts')).toEqual({ key: 'GET /plants/{name}' });
    expect(mostSpecific(routes, 'GET /plants/count/1')).toBeUndefined();
  });

  it('without a route may be that of the gateway alone', () => {
    const response = [404, { 'content-type': 'application/json' }, { message: 'Not Found' }] as const;
    expect(undescribed('POST /plants?limit=1', ...response)).toEqual([]);
    expect(undescribed('GET /', ...response)).toEqual([]);
  });
});
