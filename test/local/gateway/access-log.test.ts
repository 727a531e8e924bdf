import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../local/gateway/gateway.ts';
import { gatewayResponse } from '../../../local/gateway/response.ts';
import { accessLogLine } from '../../../local/gateway/access-log.ts';

const answer = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, statusCode = 200) => ({
  statusCode,
  headers,
  body: Buffer.from(body),
});
const list = JSON.stringify([{ name: 'Rose' }, { name: 'Fern' }]);
const exchange = (changes: Partial<Exchange>): Exchange => ({
  method: 'GET',
  path: '/plants',
  response: answer(list),
  milliseconds: 12.3,
  authorizer: 'hit',
  ...changes,
});

describe('the line about a request says', () => {
  it.each<[string, Partial<Exchange>, string]>([
    ['what was listed', {}, 'GET /plants 200, 2 plants, 12 ms, authorizer hit'],
    [
      'that it was one plant',
      { response: answer('[{}]') },
      'GET /plants 200, 1 plant, 12 ms, authorizer hit',
    ],
    ['that there was none', { response: answer('[]') }, 'GET /plants 200, 0 plants, 12 ms, authorizer hit'],
    [
      'so of a list in br',
      { response: answer(brotliCompressSync(list), { 'content-encoding': 'br' }) },
      ', 2 plants,',
    ],
    [
      'so of a list in gzip',
      { response: answer(gzipSync(list), { 'content-encoding': 'gzip' }) },
      ', 2 plants,',
    ],
    [
      'which error came',
      { response: answer('{"error":1001}', {}, 400) },
      'GET /plants 400, error 1001, 12 ms',
    ],
    [
      'what the gateway answered',
      { response: gatewayResponse(403, 'Forbidden'), authorizer: 'miss' },
      'GET /plants 403, 12 ms, authorizer miss',
    ],
    [
      'nothing of an authorizer that was not needed',
      { response: gatewayResponse(404, 'Not Found'), path: '/', authorizer: undefined },
      'GET / 404, 12 ms',
    ],
    ['little of an answer that is not JSON', { response: answer('x') }, 'GET /plants 200, 12 ms'],
    [
      'little of an answer that is not what it says',
      { response: answer('x', { 'content-encoding': 'br' }) },
      'GET /plants 200, 12 ms',
    ],
    ['short times in tenths', { milliseconds: 0.26 }, ', 0.3 ms,'],
  ])('%s', (_, changes, expected) => {
    expect(accessLogLine(exchange(changes))).toContain(expected);
  });

  it('only the beginning of a long path, which may hold a token by mistake', () => {
    const path = `/plants/${'x'.repeat(72)}`;
    expect(accessLogLine(exchange({ path }))).toContain(`GET ${path} 200`);
    expect(accessLogLine(exchange({ path: `${path}y` }))).toContain(`GET ${path}... 200`);
  });

  it('nothing that a terminal would act on', () => {
    expect(accessLogLine(exchange({ path: '/\u001b[2J\u009b2J\u202eé' }))).toMatch(
      /^GET \/\?\[2J\?2J\?\? 200/,
    );
  });
});
