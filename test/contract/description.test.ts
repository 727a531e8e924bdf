import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { descriptionIn, mostSpecific } from './description.ts';

const json = { 'content-type': 'application/json' };
const uncached = { ...json, 'cache-control': 'private, no-store' };
const listHeaders = { ...uncached, vary: 'Accept-Encoding' };
const message = 'Text.';

// What these tests compare is not a response of the service, which the contract counts.
const openapi = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
const { expectDescribed, undescribed } = descriptionIn(openapi);

describe('a response under the contract', () => {
  it.each<readonly [what: string, status: 200 | 400 | 403, body: unknown, place: string]>([
    ['an undescribed field of a plant', 200, [{ name: 'Fig', note: 'secret' }], 'note'],
    ['a name of 901 characters', 200, [{ name: 'x'.repeat(901) }], '/0/name'],
    ['an undescribed error value', 400, { error: 1999, message }, '/error'],
    ['an undescribed field of an error', 400, { error: 1001, message, limit: 5 }, 'limit'],
    ['an undescribed field of the gateway’s body', 403, { message, limit: 5 }, 'limit'],
  ])('may not have %s', (_, status, body, place) => {
    const headers = { 200: listHeaders, 400: uncached, 403: json }[status];
    expect(undescribed('GET /plants', status, headers, body)).toEqual([expect.stringContaining(place)]);
  });

  it.each<readonly [what: string, headers: Readonly<Record<string, string>>, difference: string]>([
    ['a header that no response has', { 'x-total': '5' }, 'expected no x-total'],
    ['a header of another status', { 'retry-after': '1' }, 'expected no retry-after with this status'],
    ['another value of a header', { 'cache-control': 'public' }, 'expected Cache-Control as'],
    ['another media type', { 'content-type': 'text/plain' }, 'expected Content-Type application/json;'],
  ])('may not have %s', (_, headers, difference) => {
    expect(() => {
      expectDescribed('GET /plants', 200, { ...listHeaders, ...headers }, []);
    }).toThrow(difference);
  });

  it('may have headers of HTTP itself, and digits in a header of type string or integer', () => {
    const error = { error: 2001, message };
    const headers = { ...uncached, date: 'today', 'apigw-requestid': '12', 'retry-after': '1' };
    expect(() => {
      expectDescribed('GET /plants', 400, headers, error);
    }).not.toThrow();
    expect(undescribed('GET /plants', 400, { ...headers, 'retry-after': 'soon' }, error)).toHaveLength(1);
  });

  it('is compared with the most specific route', () => {
    const routes = ['GET /plants/{name}', 'GET /plants/count', 'POST /plants/count'].map((key) => ({ key }));
    expect(mostSpecific(routes, 'GET /plants/count')).toEqual({ key: 'GET /plants/count' });
    expect(mostSpecific(routes, 'GET /plants/counts')).toEqual({ key: 'GET /plants/{name}' });
    expect(mostSpecific(routes, 'GET /plants/count/1')).toBeUndefined();
  });
});

const tree = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    sizes: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  additionalProperties: true,
};
const good = { headers: { 'X-Count': {} }, content: { 'application/json': { schema: tree } } };
const get = { get: { responses: { 200: good } } };
const parameter = { name: 'id', in: 'query', schema: { type: 'string' } };
const shared = {
  schemas: { Tree: tree },
  parameters: { Id: parameter },
  pathItems: { List: get },
  responses: { Good: good },
};

/** The description in a document. JSON is YAML, too. */
const described = (paths: object): ReturnType<typeof descriptionIn> =>
  descriptionIn(JSON.stringify({ openapi: '3.1.0', paths, components: shared }));

describe('the contract reads', () => {
  it.each<readonly [what: string, paths: object]>([
    ['parameters of a path', { '/trees': { parameters: [parameter], ...get } }],
    [
      'servers, texts and extensions of a path',
      { '/trees': { servers: [{ url: '/' }], summary: '', 'x-a': 1, ...get } },
    ],
    [
      'a reference to a shared parameter',
      { '/trees': { parameters: [{ $ref: '#/components/parameters/Id' }], ...get } },
    ],
    ['a shared path item', { '/trees': { $ref: '#/components/pathItems/List' } }],
    ['the path item of another path', { '/trees': { $ref: '#/paths/~1all~1%7Bid%7D' }, '/all/{id}': get }],
    [
      'a shared response',
      { '/trees': { get: { responses: { 200: { $ref: '#/components/responses/Good' } } } } },
    ],
  ])('%s', (_, paths) => {
    const { isDescribed, undescribed: differences } = described(paths);
    expect(isDescribed('GET /trees')).toBe(true);
    expect(differences('GET /trees', 200, json, { name: 'Fig' })).toEqual([]);
    expect(differences('GET /trees', 200, json, { name: 1 })).toHaveLength(1);
  });

  it('a schema that contains itself, and a map', () => {
    const { undescribed: differences } = described({ '/trees': get });
    expect(differences('GET /trees', 200, json, { parts: [{ name: 'Leaf' }], sizes: { small: 1 } })).toEqual(
      [],
    );
    for (const body of [{ parts: [{ name: 1 }] }, { parts: [{ other: '' }] }, { sizes: { small: '1' } }])
      expect(differences('GET /trees', 200, json, body)).toHaveLength(1);
  });

  it('a response without content, and one in another media type', () => {
    const responses = { 200: { content: { 'text/csv': {} } }, 204: {} };
    const { undescribed: differences } = described({ '/trees': { get: { responses } } });
    expect(differences('GET /trees', 200, { 'content-type': 'text/csv' }, undefined)).toEqual([]);
    expect(differences('GET /trees', 204, {}, undefined)).toEqual([]);
    expect(differences('GET /trees', 204, { 'content-length': '2' }, undefined)).toHaveLength(1);
    expect(differences('GET /trees', 204, {}, {})).toHaveLength(1);
  });

  it('no reference to something that the document does not have', () => {
    const paths = { '/trees': { $ref: '#/components/pathItems/Lost' } };
    expect(() => described(paths)).toThrow('#/components/pathItems/Lost is not in openapi.yaml.');
  });
});

describe('what no response has shown', () => {
  const notFound = { content: { 'application/json': {} } };
  const paths = { '/trees': { get: { responses: { 200: good, 404: notFound } } }, '/all/{id}': get };

  it('is each response, and of a response that was shown each header and media type', () => {
    const { expectDescribed: show, unobserved } = described(paths);
    expect(unobserved()).toEqual(['GET /trees 200', 'GET /trees 404', 'GET /all/{id} 200']);
    show('GET /trees?limit=1', 200, json, {});
    expect(unobserved()).toEqual(['GET /trees 200 x-count', 'GET /trees 404', 'GET /all/{id} 200']);
    show('GET /trees', 200, { ...json, 'x-count': '1' }, {});
    show('GET /all/1', 200, { ...json, 'x-count': '1' }, {});
    expect(unobserved()).toEqual(['GET /trees 404']);
  });

  it('is shown for each route by a response to a request without a route', () => {
    const { expectDescribed: show, unobserved } = described(paths);
    show('GET /', 404, json, {});
    expect(unobserved()).toEqual(['GET /trees 200', 'GET /all/{id} 200']);
  });
});
