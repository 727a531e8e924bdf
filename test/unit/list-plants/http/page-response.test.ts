import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../functions/list-plants/http/cursor.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import type { Page } from '../../../../functions/list-plants/list-plants.ts';
import type { Plant } from '../../../../table/plant.ts';
import { pageResponse } from '../../../../functions/list-plants/http/page-response.ts';
import { sortKeyOf } from '../../../support/stored-plants.ts';

const mebibyte = 1024 * 1024;
const plain = { coding: 'identity' } as const;
const tooLarge = new ServiceError(catalogue.resultTooLarge);

const pageOf = (...plants: readonly Plant[]): Page => ({ plants });

const textOf = ({ plants }: Page): string => JSON.stringify(plants);

/** A page of one plant. Its JSON has this number of characters. */
const pageOfLength = (length: number, letter = 'x'): Page =>
  pageOf({ name: letter.repeat(length - '[{"name":""}]'.length) });

/** The size of a result as Lambda measures it. */
const sizeOf = (response: unknown): number => Buffer.byteLength(JSON.stringify(response));

describe('a page’s response', () => {
  it('is a JSON array of plants, each with its tag if it has one', () => {
    const page = pageOf({ name: 'fern' }, { name: 'Ökobaum', tag: 'tree' }, { name: 'rose', tag: '' });
    const response = pageResponse(page, plain);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('[{"name":"fern"},{"name":"Ökobaum","tag":"tree"},{"name":"rose","tag":""}]');
  });

  it('is an empty array when there are no plants', () => {
    expect(pageResponse(pageOf(), { ...plain, limit: 0 }).body).toBe('[]');
  });

  it('forbids caching, and varies by Accept-Encoding', () => {
    expect(pageResponse(pageOf(), plain).headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-store',
      Vary: 'Accept-Encoding',
    });
  });

  it('links to the next page by a query-only reference', () => {
    const next = sortKeyOf('fern');
    const { headers } = pageResponse({ ...pageOf({ name: 'fern' }), next }, { ...plain, limit: 1 });
    expect(headers?.['Link']).toBe(`<?limit=1&cursor=${encodeCursor(next)}>; rel="next"`);
  });
});

describe('compression', () => {
  const codings = [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const;

  it.each(codings)('by %s is applied above 8 KB', (coding, decompress) => {
    const page = pageOfLength(8193);
    const { body = '', headers, isBase64Encoded } = pageResponse(page, { coding });
    expect([headers?.['Content-Encoding'], isBase64Encoded]).toEqual([coding, true]);
    expect(decompress(Buffer.from(body, 'base64')).toString()).toBe(textOf(page));
  });

  it.each(codings)('by %s keeps the headers of an uncompressed page', (coding) => {
    const page = { ...pageOfLength(8193), next: sortKeyOf('x') };
    const { headers } = pageResponse(page, { coding, limit: 1 });
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Encoding': coding,
      'Cache-Control': 'private, no-store',
      Vary: 'Accept-Encoding',
      Link: `<?limit=1&cursor=${encodeCursor(sortKeyOf('x'))}>; rel="next"`,
    });
  });

  it.each(codings)('by %s is not applied up to 8 KB', (coding) => {
    const page = pageOfLength(8192);
    expect(pageResponse(page, { coding })).toEqual(pageResponse(page, plain));
  });

  it('depends on bytes, not characters', () => {
    const { headers } = pageResponse(pageOfLength(4200, 'é'), { coding: 'br' });
    expect(headers?.['Content-Encoding']).toBe('br');
  });

  it.each(['br', 'gzip'] as const)('by %s is not applied to text that it does not make smaller', (coding) => {
    const page = pageOf({ name: randomBytes(mebibyte).toString('base64') });
    expect(pageResponse(page, { coding })).toEqual(pageResponse(page, plain));
  });

  it('is not applied for the coding identity', () => {
    const page = pageOfLength(100_000);
    const { body, headers, isBase64Encoded } = pageResponse(page, plain);
    expect(body).toBe(textOf(page));
    expect(headers).not.toHaveProperty('Content-Encoding');
    expect(isBase64Encoded).toBeUndefined();
  });
});

describe('a response’s size', () => {
  it('may be exactly 6 MB', () => {
    const small = pageResponse(pageOfLength(1000), plain);
    const longest = 6 * mebibyte - (sizeOf(small) - 1000);
    const largest = pageResponse(pageOfLength(longest), plain);
    expect(sizeOf(largest)).toBe(6 * mebibyte);
    expect(() => pageResponse(pageOfLength(longest + 1), plain)).toThrow(tooLarge);
  });

  it.each(['br', 'gzip'] as const)(
    'is that without compression, also for a client that accepts %s',
    (coding) => {
      expect(() => pageResponse(pageOfLength(7 * mebibyte), { coding })).toThrow(tooLarge);
    },
  );

  const nearlyAll = 6 * mebibyte - 1000;
  it.each([
    ['quotes, which are escaped twice', '"'.repeat(nearlyAll / 4)],
    ['backslashes, which are escaped twice', '\\'.repeat(nearlyAll / 4)],
    ['control characters, which are escaped twice', '\u0001'.repeat(nearlyAll / 7)],
    ['letters of two bytes', 'é'.repeat(nearlyAll / 2)],
    ['letters of three bytes', '水'.repeat(nearlyAll / 3)],
    ['letters of four bytes', '\u{1f33f}'.repeat(nearlyAll / 4)],
  ])('is measured as Lambda measures it: %s', (_, name) => {
    const response = pageResponse(pageOf({ name }), plain);
    expect(sizeOf(response)).toBeGreaterThan(6 * mebibyte - 1100);
    expect(sizeOf(response)).toBeLessThanOrEqual(6 * mebibyte);
    const longer = pageOf({ name: `${name}${'x'.repeat(1000)}` });
    expect(() => pageResponse(longer, plain)).toThrow(tooLarge);
  });

  it('is reported as too large for the limit to a caller who passed one', () => {
    const page = pageOfLength(7 * mebibyte);
    const smaller = 'Pass a smaller limit';
    expect(() => pageResponse(page, { ...plain, limit: 1 })).toThrow(smaller);
    expect(() => pageResponse(page, { coding: 'br', limit: 1 })).toThrow(smaller);
  });

  it('includes the headers', () => {
    // The body alone is slightly smaller than 6 MB.
    const page = pageOfLength(2 * mebibyte, '水');
    expect(() => pageResponse(page, plain)).toThrow(tooLarge);
  });
});
