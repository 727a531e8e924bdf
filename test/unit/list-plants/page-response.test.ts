import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { ServiceError } from '../../../functions/shared/errors.ts';
import type { ListPage } from '../../../functions/plant-store/list-plants.ts';
import { pageResponse } from '../../../functions/list-plants/respond.ts';
import type { HttpResult } from '../../../functions/http/operation.ts';
import { listEvent } from '../../support/list-event.ts';
import { sortKeyOf } from '../../support/table/stored-plants.ts';

const tooLarge = new ServiceError(catalogue.resultTooLarge);
const mebibyte = 1024 * 1024;
const next = sortKeyOf('fern');
const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
  Vary: 'Accept-Encoding',
};
const Link = `<?limit=1&cursor=${encodeCursor(next)}>; rel="next"`;

/** A list page of one plant. Its JSON has this number of characters. */
const pageOfLength = (length: number, letter = 'x'): ListPage => ({
  plants: [{ name: letter.repeat(length - '[{"name":""}]'.length) }],
});

const respond = (page: ListPage, acceptEncoding?: string): HttpResult =>
  pageResponse(listEvent({ ...(acceptEncoding !== undefined && { acceptEncoding }) }), page, 1);

/** The size of a result as Lambda measures it. */
const sizeOf = (response: unknown): number => Buffer.byteLength(JSON.stringify(response));

it('the response with a list page is a JSON array, may not be cached, and links to the next one', () => {
  const plants = [
    { name: 'Ökobaum', tag: 'tree' },
    { name: 'rose', tag: '' },
  ];
  const body = '[{"name":"Ökobaum","tag":"tree"},{"name":"rose","tag":""}]';
  expect(respond({ plants })).toEqual({ statusCode: 200, headers, body });
  const page = { plants: [], next };
  expect(respond(page).headers).toEqual({ ...headers, Link });
});

describe.each([
  ['br', (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['gzip', (text: string) => gzipSync(text, { level: 1 })],
] as const)('compression by %s, at its fast level 1,', (coding, compressed) => {
  it.each([
    ['8,193 bytes', pageOfLength(8193)],
    ['8,387 bytes in 4,200 letters', pageOfLength(4200, 'é')],
  ])('is applied to %s, and keeps the headers', (_, page) => {
    const response = respond({ ...page, next }, coding);
    const body = compressed(JSON.stringify(page.plants)).toString('base64');
    const all = { ...headers, Link, 'Content-Encoding': coding };
    expect(response).toEqual({ statusCode: 200, headers: all, isBase64Encoded: true, body });
  });

  it.each([
    ['8 KB', pageOfLength(8192)],
    [
      'a text that it does not make smaller',
      { plants: [{ name: randomBytes(mebibyte).toString('base64') }] },
    ],
  ])('is not applied to %s', (_, page) => {
    expect(respond(page, coding)).toEqual(respond(page));
  });
});

it('a response to a request without headers is not compressed', () => {
  const page = pageOfLength(8193);
  expect(pageResponse({}, page, 1)).toEqual(respond(page));
});

describe('a response’s size', () => {
  it('may be exactly 6 MB', () => {
    const longest = 6 * mebibyte - (sizeOf(respond(pageOfLength(1000))) - 1000);
    expect(sizeOf(respond(pageOfLength(longest)))).toBe(6 * mebibyte);
    expect(() => respond(pageOfLength(longest + 1))).toThrow(tooLarge);
  });

  it.each([
    ['quotes, which are escaped twice', '"', 4],
    ['control characters, which are escaped twice', '\u0001', 7],
    ['letters of three bytes', '水', 3],
  ])('is measured as Lambda measures it: %s', (_, letter, bytes) => {
    const name = letter.repeat((6 * mebibyte - 1000) / bytes);
    expect(sizeOf(respond({ plants: [{ name }] }))).toBeLessThanOrEqual(6 * mebibyte);
    const longer = name + letter.repeat(900 / bytes);
    expect(() => respond({ plants: [{ name: longer }] })).toThrow(tooLarge);
  });
});
