import { expect, it } from 'vitest';
import { documentWith, getTree, parameter } from './tree-document.ts';

const json = { 'content-type': 'application/json' };

it.each<readonly [what: string, paths: object]>([
  ['a path with parameters', { '/trees': { parameters: [parameter], ...getTree } }],
  [
    'a path with servers, texts and extensions',
    { '/trees': { servers: [{ url: '/' }], summary: '', 'x-a': 1, ...getTree } },
  ],
  [
    'a path that refers to a shared parameter',
    { '/trees': { parameters: [{ $ref: '#/components/parameters/Id' }], ...getTree } },
  ],
  ['a path that refers to a shared path item', { '/trees': { $ref: '#/components/pathItems/List' } }],
  [
    'a path that refers to another path',
    { '/trees': { $ref: '#/paths/~1all~1%7Bid%7D' }, '/all/{id}': getTree },
  ],
  [
    'a path that refers to a shared response',
    { '/trees': { get: { responses: { 200: { $ref: '#/components/responses/Tree' } } } } },
  ],
])('reads the response of %s', (_, paths) => {
  const { routeOf, responseDifferences } = documentWith(paths);
  expect(routeOf('GET /trees')).toBeDefined();
  expect(responseDifferences('GET /trees', 200, json, { name: 'Fig' })).toEqual([]);
  expect(responseDifferences('GET /trees', 200, json, { name: 1 })).toHaveLength(1);
});

it('reads a schema that contains itself, and a map', () => {
  const { responseDifferences } = documentWith({ '/trees': getTree });
  const described = { parts: [{ name: 'Leaf' }], sizes: { small: 1 } };
  expect(responseDifferences('GET /trees', 200, json, described)).toEqual([]);
  for (const body of [{ parts: [{ name: 1 }] }, { parts: [{ other: '' }] }, { sizes: { small: '1' } }])
    expect(responseDifferences('GET /trees', 200, json, body)).toHaveLength(1);
});

it('reads a response without content, and one in another media type', () => {
  const responses = { 200: { content: { 'text/csv': {} } }, 204: {} };
  const { responseDifferences } = documentWith({ '/trees': { get: { responses } } });
  expect(responseDifferences('GET /trees', 200, { 'content-type': 'text/csv' }, undefined)).toEqual([]);
  expect(responseDifferences('GET /trees', 204, {}, undefined)).toEqual([]);
  expect(responseDifferences('GET /trees', 204, { 'content-length': '2' }, undefined)).toHaveLength(1);
  expect(responseDifferences('GET /trees', 204, {}, {})).toHaveLength(1);
});

it('refuses a reference to something that the document does not have', () => {
  const paths = { '/trees': { $ref: '#/components/pathItems/Lost' } };
  expect(() => documentWith(paths)).toThrow('#/components/pathItems/Lost is not in openapi.yaml.');
});
