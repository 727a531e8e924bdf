import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Exchange } from '../../local/gateway/gateway.ts';
import { gatewayResponse, type HttpResponse } from '../../local/gateway/response.ts';
import { requestLine } from '../../local/request-line.ts';

const respond = (
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  statusCode = 200,
): HttpResponse => ({
  statusCode,
  headers,
  body: Buffer.from(body),
  authorizer: 'hit',
});
const list = JSON.stringify([{ name: 'Rose' }, { name: 'Fern' }]);
const br = { 'content-encoding': 'br' };
const gzip = { 'content-encoding': 'gzip' };
const exchange = ({
  path = '/plants',
  ...changes
}: Partial<Exchange> & { readonly path?: string }): Exchange => ({
  request: { id: 'request-1', method: 'GET', path, query: '', headers: {}, sourceIp: '' },
  response: respond(list),
  milliseconds: 12.3,
  ...changes,
});

it.each<[string, Parameters<typeof exchange>[0], string]>([
  ['the number of plants', {}, 'GET /plants 200, 2 plants, 12 ms, authorizer hit'],
  ['one plant', { response: respond('[{}]') }, 'GET /plants 200, 1 plant, 12 ms, authorizer hit'],
  ['no plants', { response: respond('[]') }, 'GET /plants 200, 0 plants, 12 ms, authorizer hit'],
  ['a list compressed with br', { response: respond(brotliCompressSync(list), br) }, ', 2 plants,'],
  ['a list compressed with gzip', { response: respond(gzipSync(list), gzip) }, ', 2 plants,'],
  ['the error value', { response: respond('{"error":1001}', {}, 400) }, 'GET /plants 400, error 1001, 12 ms'],
  [
    'the gateway’s own response',
    { response: { ...gatewayResponse(403, 'Forbidden'), authorizer: 'miss' } },
    'GET /plants 403, 12 ms, authorizer miss',
  ],
  [
    'no authorizer when the route has none',
    { response: gatewayResponse(404, 'Not Found'), path: '/' },
    'GET / 404, 12 ms',
  ],
  ['only the status of other responses', { response: respond('x') }, 'GET /plants 200, 12 ms'],
  ['only the status with a wrong content coding', { response: respond('x', br) }, 'GET /plants 200, 12 ms'],
  ['short times in tenths of a millisecond', { milliseconds: 0.26 }, ', 0.3 ms,'],
  ['no control characters', { path: '/\u001b[2J\u009b2J\u202eé' }, 'GET /?[2J?2J?? 200'],
])('the line about a request contains %s', (_, changes, expected) => {
  expect(requestLine(exchange(changes))).toContain(expected);
});
