import { expect, it } from 'vitest';
import { mostSpecificRoute, serviceDescription } from '../../smoke/response-differences.ts';
import { undeclaredName } from '../support/table/field-samples.ts';
import { storedPlant } from '../support/table/plants.ts';

const { responseDifferences } = serviceDescription;
const json = { 'content-type': 'application/json' };
const uncached = { ...json, 'cache-control': 'private, no-store' };
const listHeaders = { ...uncached, vary: 'Accept-Encoding' };
const message = 'secret';
const fig = storedPlant('Fig').plant;

it.each<readonly [what: string, status: 200 | 400 | 403, body: unknown, place: string]>([
  ['an undescribed field of a plant', 200, [{ ...fig, [undeclaredName]: 'secret' }], undeclaredName],
  ['a name of 901 characters', 200, [{ ...fig, name: `secret${'x'.repeat(895)}` }], '/0/name'],
  ['an undescribed error value', 400, { error: 1999, message }, '/error'],
  ['an undescribed field of an error', 400, { error: 1001, message, limit: 5 }, 'limit'],
  ['an undescribed field of the gateway’s body', 403, { message, limit: 5 }, 'limit'],
])('reports %s, without its value', (_, status, body, place) => {
  const headers = { 200: listHeaders, 400: uncached, 403: json }[status];
  const reports = responseDifferences('GET /plants', status, headers, body);
  expect(reports).toEqual([expect.stringContaining(place)]);
  expect(reports.join()).not.toContain('secret');
});

it('accepts digits in a header of type string or integer', () => {
  const headers = { ...uncached, 'apigw-requestid': '12', 'retry-after': '1' };
  expect(responseDifferences('GET /plants', 400, headers, { error: 2001, message })).toEqual([]);
});

it('reports text in a header of type integer', () => {
  const headers = { ...uncached, 'retry-after': 'soon' };
  expect(responseDifferences('GET /plants', 400, headers, { error: 2001, message })).toEqual([
    expect.stringContaining('expected Retry-After as'),
  ]);
});

const routes = ['GET /plants/{name}', 'GET /plants/count', 'POST /plants/count'].map((key) => ({ key }));

it.each([
  ['GET /plants/count', 'GET /plants/count'],
  ['GET /plants/counts', 'GET /plants/{name}'],
])('the most specific route of %s is %s', (request, key) => {
  expect(mostSpecificRoute(routes, request)?.key).toBe(key);
});

it('GET /plants/count/1 has no route if no route has so many segments', () => {
  expect(mostSpecificRoute(routes, 'GET /plants/count/1')).toBeUndefined();
});
