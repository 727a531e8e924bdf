import { describe, expect, it } from 'vitest';
import { routeFinder } from '../../../local/gateway/routes.ts';

/** The route that the local gateway finds, with the parameters of the path. */
const found = (keys: readonly string[], method: string, path: string): unknown => {
  const match = routeFinder(keys.map((key) => ({ key, invoke: () => Promise.resolve() })))(method, path);
  return match && [match.key, match.pathParameters];
};

describe('a route with a parameter', () => {
  it.each<[what: string, path: string, name: string | undefined]>([
    ['matches a segment', '/plants/oak', 'oak'],
    ['decodes UTF-8', '/plants/%C3%84hre', 'Ähre'],
    ['decodes once', '/plants/%252F%2520', '%2F%20'],
    ['decodes no plus sign', '/plants/a+b', 'a+b'],
    ['matches an encoded question mark', '/plants/a%3Fb', 'a?b'],
    ['matches literal braces', '/plants/{name}', '{name}'],
    ['matches no encoded slash', '/plants/a%2Fb', undefined],
    ['leaves a malformed escape as it is', '/plants/%zz', '%zz'],
    ['matches no empty segment', '/plants/', undefined],
    ['matches no further segment', '/plants/oak/1', undefined],
    ['matches no further slash', '/plants/oak/', undefined],
    ['matches two dots, which are not resolved', '/plants/..', '..'],
    ['does not resolve two dots in the middle of a path', '/trees/../plants/oak', undefined],
    ['is case-sensitive', '/Plants/oak', undefined],
    ['matches no encoded letter in a literal segment', '/%70lants/oak', undefined],
  ])('%s: %s', (_what, path, name) => {
    const expected = name === undefined ? undefined : ['GET /plants/{name}', { name }];
    expect(found(['GET /plants/{name}'], 'GET', path)).toEqual(expected);
  });

  it('matches a full stop in its key literally', () => {
    expect(found(['GET /v1.0/{name}'], 'GET', '/v1x0/oak')).toBeUndefined();
    expect(found(['GET /v1.0/{name}'], 'GET', '/v1.0/oak')).toEqual(['GET /v1.0/{name}', { name: 'oak' }]);
  });
});

describe('in any order of the routes,', () => {
  const keys = [
    'GET /{kind}/{name}',
    'GET /{kind}/oak',
    'GET /plants/{name}/{part}',
    'GET /plants/{name}/leaf',
    'GET /plants/{name}',
    'GET /plants/oak',
    'DELETE /plants/pine',
    'GET /{kind}/oak/oak/oak',
    'GET /plants/{name}/{part}/oak',
    'GET /plants',
    'GET /',
  ];
  it.each<[path: string, key: string, parameters: object]>([
    ['/', 'GET /', {}],
    ['/plants', 'GET /plants', {}],
    ['/plants/oak', 'GET /plants/oak', {}],
    ['/plants/pine', 'GET /plants/{name}', { name: 'pine' }],
    ['/plants/oak/oak/oak', 'GET /plants/{name}/{part}/oak', { name: 'oak', part: 'oak' }],
    ['/trees/oak', 'GET /{kind}/oak', { kind: 'trees' }],
    ['/trees/pine', 'GET /{kind}/{name}', { kind: 'trees', name: 'pine' }],
    ['/plants/oak/leaf', 'GET /plants/{name}/leaf', { name: 'oak' }],
    ['/plants/oak/root', 'GET /plants/{name}/{part}', { name: 'oak', part: 'root' }],
  ])('%s is matched by %s, the most specific route', (path, key, parameters) => {
    for (const order of [keys, keys.toReversed()])
      expect(found(order, 'GET', path)).toEqual([key, parameters]);
  });
});
