import { expect, it } from 'vitest';
import { serviceDescription } from '../../smoke/response-differences.ts';
import { documentWith, getTree, treeResponse } from '../smoke/tree-document.ts';
import { describedResponses } from './described-responses.ts';

const json = { 'content-type': 'application/json' };
const listHeaders = { ...json, 'cache-control': 'private, no-store', vary: 'Accept-Encoding' };

// A record of its own, so that the made-up responses of these tests do not count as observed by the contract.
const { expectDescribed } = describedResponses(serviceDescription);

it.each<readonly [what: string, headers: Readonly<Record<string, string>>, difference: string]>([
  ['a header that no response has', { 'x-total': '5' }, 'expected no x-total'],
  ['a header of another status', { 'retry-after': '1' }, 'expected no retry-after with this status'],
  ['another value of a header', { 'cache-control': 'public' }, 'expected Cache-Control as'],
  ['another media type', { 'content-type': 'text/plain' }, 'expected Content-Type application/json;'],
])('refuses a response with %s', (_, headers, difference) => {
  expect(() => {
    expectDescribed('GET /plants', 200, { ...listHeaders, ...headers }, []);
  }).toThrow(difference);
});

it('accepts headers of HTTP itself', () => {
  expect(() => {
    expectDescribed('GET /plants', 200, { ...listHeaders, date: 'today', 'content-length': '2' }, []);
  }).not.toThrow();
});

const notFound = { content: { 'application/json': {} } };
const paths = {
  '/trees': { get: { responses: { 200: treeResponse, 404: notFound } } },
  '/all/{id}': getTree,
};

it('names each response that did not occur, and the missing headers of a response that did', () => {
  const { expectDescribed: record, unobserved } = describedResponses(documentWith(paths));
  expect(unobserved()).toEqual(['GET /trees 200', 'GET /trees 404', 'GET /all/{id} 200']);
  record('GET /trees?limit=1', 200, json, {});
  expect(unobserved()).toEqual(['GET /trees 200 x-count', 'GET /trees 404', 'GET /all/{id} 200']);
  record('GET /trees', 200, { ...json, 'x-count': '1' }, {});
  record('GET /all/1', 200, { ...json, 'x-count': '1' }, {});
  expect(unobserved()).toEqual(['GET /trees 404']);
});

it('records a response to a request without a route for every route', () => {
  const { expectDescribed: record, unobserved } = describedResponses(documentWith(paths));
  record('GET /', 404, json, {});
  expect(unobserved()).toEqual(['GET /trees 200', 'GET /all/{id} 200']);
});
