import { expect, it } from 'vitest';
import { invalidBody, jsonBody } from '../../../functions/http/request-body.ts';
import { ServiceError } from '../../../functions/http/service-error.ts';

const base64 = (bytes: Uint8Array | string) => ({
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
});

it.each([
  ['text', { body: '{"name":"竹"}' }],
  ['base64', base64('{"name":"竹"}')],
])('reads a JSON object that the gateway passes as %s', (_, event) => {
  expect(jsonBody(event)).toEqual({ name: '竹' });
});

it('reads a body of 64 KB', () => {
  const name = 'x'.repeat(64_000 - '{"name":""}'.length);
  expect(jsonBody({ body: JSON.stringify({ name }) })).toEqual({ name });
});

it.each([
  ['no body', {}],
  ['text that is not JSON', { body: 'name=Rose' }],
  ['a JSON array', { body: '[]' }],
  ['bytes that are not UTF-8', base64(Uint8Array.from([...Buffer.from('{"name":"'), 0xff, 0x22, 0x7d]))],
  ['a byte order mark', base64('\ufeff{}')],
  ['more than 64 KB of UTF-8', { body: JSON.stringify({ name: '竹'.repeat(21_330) }) }],
])('rejects %s with error 1006', (_, event) => {
  expect(() => jsonBody(event)).toThrow(new ServiceError(invalidBody));
});
