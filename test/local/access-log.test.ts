import { expect, it } from 'vitest';
import { accessLogLine } from '../../local/access-log.ts';
import type { Exchange } from '../../local/gateway/gateway.ts';
import { gatewayResponse } from '../../local/gateway/response.ts';

const exchange = ({
  path = '/plants',
  ...changes
}: Partial<Exchange> & { readonly path?: string }): Exchange => ({
  request: { id: 'request-1', method: 'GET', path, query: '', headers: {}, sourceIp: '' },
  response: { statusCode: 200, headers: {}, body: Buffer.alloc(1234), authorizer: 'hit' },
  milliseconds: 12.3,
  ...changes,
});

it.each<[string, Parameters<typeof exchange>[0], string]>([
  ['the size of the body', {}, 'GET /plants 200, 1,234 bytes, 12 ms, authorizer hit'],
  [
    'no authorizer when the route has none',
    { response: gatewayResponse(404, 'Not Found'), path: '/' },
    'GET / 404, 23 bytes, 12 ms\n',
  ],
  ['short times in tenths of a millisecond', { milliseconds: 0.26 }, ', 0.3 ms,'],
  ['only the start of a long path', { path: `/${'x'.repeat(100)}` }, `GET /${'x'.repeat(79)} 200`],
  ['no control characters', { path: '/\u001b[2J\u009b2J\u202eé' }, 'GET /?[2J?2J?? 200'],
])('the access log’s line contains %s', (_, changes, expected) => {
  expect(`${accessLogLine(exchange(changes))}\n`).toContain(expected);
});
