import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { jsonResponse } from '../../../functions/http/json-response.ts';
import type { HttpResult } from '../../../functions/http/payload-format.ts';
import { commonErrors } from '../../../functions/http/common-errors.ts';
import { ServiceError } from '../../../functions/http/service-error.ts';
import { listEvent } from '../../support/list-event.ts';

const { unexpected: tooLarge } = commonErrors;
const mebibyte = 1024 * 1024;
const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
  Vary: 'Accept-Encoding',
};

/** A text whose JSON has this number of characters. */
const textOfLength = (length: number, letter = 'x'): string => letter.repeat(length - '""'.length);

const responseTo = (value: unknown, acceptEncoding = 'identity'): HttpResult =>
  jsonResponse(listEvent({ acceptEncoding }), value, { tooLarge, headers: { Link: 'next' } });

/** The size of a result as Lambda measures it. */
const sizeOf = (response: unknown): number => Buffer.byteLength(JSON.stringify(response));

it('a response has a value as JSON and the operation’s headers, and may not be cached', () => {
  const body = '[{"name":"Ökobaum","tag":"tree"},{"name":"rose","tag":""}]';
  const expected = { statusCode: 200, headers: { ...headers, Link: 'next' }, body };
  expect(responseTo(JSON.parse(body))).toEqual(expected);
});

it('a response has the operation’s status', () => {
  expect(jsonResponse({}, 'x', { statusCode: 201 })).toEqual({ statusCode: 201, headers, body: '"x"' });
});

it('a long response without Accept-Encoding is not compressed', () => {
  const long = textOfLength(8193);
  expect(jsonResponse({}, long)).toEqual({ statusCode: 200, headers, body: JSON.stringify(long) });
});

describe.each([
  ['br', (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['gzip', (text: string) => gzipSync(text, { level: 1 })],
] as const)('compression by %s, at its fast level 1,', (coding, compressed) => {
  it('is applied to more than 8 KB, and keeps the headers', () => {
    // 1 + 2 × 4,095 letters and 2 quotes are 8,193 bytes.
    const value = `x${textOfLength(4097, 'é')}`;
    const body = compressed(JSON.stringify(value)).toString('base64');
    const all = { ...headers, Link: 'next', 'Content-Encoding': coding };
    const expected = { statusCode: 200, headers: all, isBase64Encoded: true, body };
    expect(responseTo(value, coding)).toEqual(expected);
  });

  it.each([
    ['8 KB', textOfLength(8192)],
    ['a text that it does not make smaller', randomBytes(mebibyte).toString('base64')],
  ])('is not applied to %s', (_, value) => {
    expect(responseTo(value, coding)).toEqual(responseTo(value));
  });
});

describe('a response’s size', () => {
  const refusal = new ServiceError(tooLarge);

  const overhead = sizeOf(responseTo(textOfLength(1000))) - 1000;
  const longest = 6 * mebibyte - overhead;

  it('may be exactly 6 MB without compression', () => {
    expect(sizeOf(responseTo(textOfLength(longest)))).toBe(6 * mebibyte);
  });

  it.each(['br', 'gzip'])('may be exactly 6 MB before the compression with %s', (coding) => {
    expect(responseTo(textOfLength(longest), coding)).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
    });
  });

  it.each(['identity', 'br', 'gzip'])('may not exceed 6 MB by a byte if the client accepts %s', (coding) => {
    expect(() => responseTo(textOfLength(longest + 1), coding)).toThrow(refusal);
  });

  it.each([
    ['quotes, which are escaped twice', '"', 4],
    ['control characters, which are escaped twice', '\u0001', 7],
    ['letters of three bytes', '水', 3],
  ])('counts %s, as Lambda does', (_, letter, bytes) => {
    const value = letter.repeat((6 * mebibyte - 1000) / bytes);
    expect(sizeOf(responseTo(value))).toBeLessThanOrEqual(6 * mebibyte);
    expect(() => responseTo(value + letter.repeat(900 / bytes))).toThrow(refusal);
  });
});
