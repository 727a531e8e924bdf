import { expect, it } from 'vitest';
import type { HttpEvent } from '../../../functions/http/payload-format.ts';
import { jsonBody } from '../../../functions/http/request-body.ts';
import { resourceErrors } from '../../../functions/http/resource-errors.ts';
import { ServiceError } from '../../../functions/http/service-error.ts';

const json = ['application/json'];

const base64 = (bytes: Uint8Array | string) => ({
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
});

it.each([
  ['text', { body: '{"name":"竹"}' }],
  ['base64', base64('{"name":"竹"}')],
])('reads a JSON object that the gateway passes as %s', (_, event) => {
  expect(jsonBody(event, json)).toEqual({ name: '竹' });
});

it('reads a body of exactly 64 KB', () => {
  const name = 'x'.repeat(64_000 - '{"name":""}'.length);
  expect(jsonBody({ body: JSON.stringify({ name }) }, json)).toEqual({ name });
});

it.each([
  ['equal names in different objects', '{"a":{"name":1},"b":[{"name":1},{"name":2}],"name":3}'],
  ['a name in the text of a value', String.raw`{"a":"\"b\":,{","b":"a"}`],
  ['5,000 nested arrays', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`],
])('reads an object with %s', (_, body) => {
  expect(() => jsonBody({ body }, json)).not.toThrow();
});

it.each<[what: string, event: HttpEvent]>([
  ['no body', {}],
  ['a missing body that a gateway passes as null', JSON.parse('{"body":null,"headers":null}')],
  ['text that is not JSON', { body: 'name=Rose' }],
  ['a JSON array', { body: '[]' }],
  ['null', { body: 'null' }],
  ['bytes that are not UTF-8', base64(Uint8Array.from([...Buffer.from('{"name":"'), 0xff, 0x22, 0x7d]))],
  ['a byte order mark', base64('\ufeff{}')],
  ['64 KB and one byte', { body: `{"name":"${'x'.repeat(64_001 - '{"name":""}'.length)}"}` }],
  ['a lone surrogate', { body: '{"name":"\ud800"}' }],
  ['a member twice', { body: '{"name":"a","tag":"b","name":"c"}' }],
  ['a member twice, once with an escape', { body: String.raw`{"name":"a","n\u0061me":"c"}` }],
  ['a member twice behind nested values', { body: '{"a":[{"b":{}}],"a":1}' }],
])('rejects %s with error 1006', (_, event) => {
  expect(() => jsonBody(event, json)).toThrow(new ServiceError(resourceErrors.invalidBody));
});

it.each([
  ['application/json'],
  ['Application/JSON; charset=UTF-8'],
  ['application/json;charset="utf-8"'],
  ['application/json; profile=x'],
  [String.raw`application/json; charset="utf\-8"`],
  ['application/json; note="a;charset=latin1"'],
])('accepts a body of Content-Type %s', (type) => {
  expect(jsonBody({ headers: { 'content-type': type }, body: '{}' }, json)).toEqual({});
});

it.each([
  ['another media type', { 'content-type': 'text/plain' }],
  ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
  ['no valid Content-Type', { 'content-type': 'json' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a content coding', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
])('rejects a body of %s with error 1011', (_, headers) => {
  const event = { headers, body: '{}' };
  expect(() => jsonBody(event, json)).toThrow(new ServiceError(resourceErrors.unsupportedContent));
});
