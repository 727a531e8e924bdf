import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../local/gateway/gateway.ts';
import { gatewayResponse } from '../../../local/gateway/response.ts';
import { accessLogLine } from '../../../local/gateway/access-log.ts';
import { accessLogEntry, accessLogWriter } from '../../../local/gateway/access-log-entry.ts';

const respond = (
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  statusCode = 200,
) => ({
  statusCode,
  headers,
  body: Buffer.from(body),
});
const list = JSON.stringify([{ name: 'Rose' }, { name: 'Fern' }]);
const br = { 'content-encoding': 'br' };
const gzip = { 'content-encoding': 'gzip' };
const exchange = (changes: Partial<Exchange>): Exchange => ({
  requestId: 'request-1',
  time: Date.UTC(2026, 10, 22, 9, 8, 7),
  method: 'GET',
  path: '/plants',
  response: respond(list),
  milliseconds: 12.3,
  authorizer: 'hit',
  ...changes,
});

describe('the access log line of a request contains', () => {
  it.each<[string, Partial<Exchange>, string]>([
    ['the number of plants', {}, 'GET /plants 200, 2 plants, 12 ms, authorizer hit'],
    ['one plant', { response: respond('[{}]') }, 'GET /plants 200, 1 plant, 12 ms, authorizer hit'],
    ['no plants', { response: respond('[]') }, 'GET /plants 200, 0 plants, 12 ms, authorizer hit'],
    ['a list compressed with br', { response: respond(brotliCompressSync(list), br) }, ', 2 plants,'],
    ['a list compressed with gzip', { response: respond(gzipSync(list), gzip) }, ', 2 plants,'],
    [
      'the error value',
      { response: respond('{"error":1001}', {}, 400) },
      'GET /plants 400, error 1001, 12 ms',
    ],
    [
      'the gateway’s own response',
      { response: gatewayResponse(403, 'Forbidden'), authorizer: 'miss' },
      'GET /plants 403, 12 ms, authorizer miss',
    ],
    [
      'no authorizer when the route has none',
      { response: gatewayResponse(404, 'Not Found'), path: '/', authorizer: undefined },
      'GET / 404, 12 ms',
    ],
    ['only the status of other responses', { response: respond('x') }, 'GET /plants 200, 12 ms'],
    ['only the status with a wrong content coding', { response: respond('x', br) }, 'GET /plants 200, 12 ms'],
    ['short times in tenths of a millisecond', { milliseconds: 0.26 }, ', 0.3 ms,'],
  ])('%s', (_, changes, expected) => {
    expect(accessLogLine(exchange(changes))).toContain(expected);
  });

  it('only the start of a long path, which can contain a token by mistake', () => {
    const path = `/plants/${'x'.repeat(72)}`;
    expect(accessLogLine(exchange({ path }))).toContain(`GET ${path} 200`);
    expect(accessLogLine(exchange({ path: `${path}y` }))).toContain(`GET ${path}... 200`);
  });

  it('no control characters for the terminal', () => {
    expect(accessLogLine(exchange({ path: '/\u001b[2J\u009b2J\u202eé' }))).toMatch(
      /^GET \/\?\[2J\?2J\?\? 200/,
    );
  });
});

describe('the access log entry of the HTTP API', () => {
  const format = JSON.stringify({
    id: '$context.requestId',
    time: '$context.requestTime',
    status: '$context.status',
    caller: '$context.authorizer.callerId',
    error: '$context.integrationErrorMessage',
    route: '$context.routeKey, $context.httpMethod',
  });

  it('has the values of the variables in the template’s format, and - for those without a value', () => {
    const authorizerContext = { callerId: 'abc', groups: ['gardeners'] };
    expect(
      JSON.parse(accessLogEntry(format, exchange({ authorizerContext, routeKey: 'GET /plants' }))),
    ).toEqual({
      id: 'request-1',
      time: '22/Nov/2026:09:08:07 +0000',
      status: '200',
      caller: 'abc',
      error: '-',
      route: 'GET /plants, GET',
    });
  });

  it('is JSON whatever a value contains', () => {
    const integration = { requestId: '1', latency: 1, error: 'A "quote"\nand more' };
    expect(JSON.parse(accessLogEntry(format, exchange({ integration })))).toMatchObject({
      error: 'A "quote"\nand more',
    });
  });

  it('replaces the line for a person when ACCESS_LOG is json', () => {
    const request = exchange({ accessLogFormat: '{"status":"$context.status"}' });
    expect(accessLogWriter('json')(request)).toBe('{"status":"200"}');
    expect(accessLogWriter('json')(exchange({}))).toBeUndefined();
    for (const setting of ['', undefined])
      expect(accessLogWriter(setting)(request)).toMatch(/^GET \/plants /);
    expect(() => accessLogWriter('yes')).toThrow('ACCESS_LOG must be "json" or unset; it is "yes".');
  });
});
