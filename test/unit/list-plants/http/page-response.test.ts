import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ContentCoding } from '../../../../functions/list-plants/http/content-coding.ts';
import { encodeCursor } from '../../../../functions/list-plants/http/cursor.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import type { Page } from '../../../../functions/list-plants/list-plants.ts';
import { plantsJson } from '../../../../functions/list-plants/plants-json.ts';
import type { Plant } from '../../../../table/plant.ts';
import { maxPlainBytes, pageResponse } from '../../../../functions/list-plants/http/page-response.ts';
import { sortKeyOf } from '../../../support/stored-plants.ts';

const mebibyte = 1024 * 1024;
const plain = { coding: 'identity' } as const;
const tooLarge = new ServiceError(catalogue.resultTooLarge);

const pageOf = (...plants: readonly Plant[]): Page => {
  const json = plantsJson();
  json.add(plants);
  return { plants: json.end() };
};

const textOf = ({ plants }: Page): string => Buffer.concat(plants).toString();

/** A page of one plant. Its JSON has this number of characters. */
const pageOfLength = (length: number, letter = 'x'): Page =>
  pageOf({ name: letter.repeat(length - '[{"name":""}]'.length) });

/** The size of a result as Lambda measures it. */
const sizeOf = (response: unknown): number => Buffer.byteLength(JSON.stringify(response));

describe('a page’s response', () => {
  it('is a JSON array of plants, each with its tag if it has one', async () => {
    const page = pageOf({ name: 'fern' }, { name: 'Ökobaum', tag: 'tree' }, { name: 'rose', tag: '' });
    const response = await pageResponse(page, plain);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('[{"name":"fern"},{"name":"Ökobaum","tag":"tree"},{"name":"rose","tag":""}]');
  });

  it('is an empty array when there are no plants', async () => {
    expect((await pageResponse(pageOf(), { ...plain, limit: 0 })).body).toBe('[]');
  });

  it('forbids caching, and varies by Accept-Encoding', async () => {
    expect((await pageResponse(pageOf(), plain)).headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-store',
      Vary: 'Accept-Encoding',
    });
  });

  it('links to the next page by a query-only reference', async () => {
    const next = sortKeyOf('fern');
    const { headers } = await pageResponse({ ...pageOf({ name: 'fern' }), next }, { ...plain, limit: 1 });
    expect(headers?.['Link']).toBe(`<?limit=1&cursor=${encodeCursor(next)}>; rel="next"`);
  });
});

describe('compression', () => {
  const codings = [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const;

  it.each(codings)('by %s is applied above 8 KB', async (coding, decompress) => {
    const page = pageOfLength(8193);
    const { body = '', headers, isBase64Encoded } = await pageResponse(page, { coding });
    expect([headers?.['Content-Encoding'], isBase64Encoded]).toEqual([coding, true]);
    expect(decompress(Buffer.from(body, 'base64')).toString()).toBe(textOf(page));
  });

  it.each(codings)('by %s keeps the headers of an uncompressed page', async (coding) => {
    const page = { ...pageOfLength(8193), next: sortKeyOf('x') };
    const { headers } = await pageResponse(page, { coding, limit: 1 });
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Encoding': coding,
      'Cache-Control': 'private, no-store',
      Vary: 'Accept-Encoding',
      Link: `<?limit=1&cursor=${encodeCursor(sortKeyOf('x'))}>; rel="next"`,
    });
  });

  it.each(codings)('by %s is not applied up to 8 KB', async (coding) => {
    const page = pageOfLength(8192);
    expect(await pageResponse(page, { coding })).toEqual(await pageResponse(page, plain));
  });

  it('depends on bytes, not characters', async () => {
    const { headers } = await pageResponse(pageOfLength(4200, 'é'), { coding: 'br' });
    expect(headers?.['Content-Encoding']).toBe('br');
  });

  it('is not applied for the coding identity', async () => {
    const page = pageOfLength(100_000);
    const { body, headers, isBase64Encoded } = await pageResponse(page, plain);
    expect(body).toBe(textOf(page));
    expect(headers).not.toHaveProperty('Content-Encoding');
    expect(isBase64Encoded).toBeUndefined();
  });
});

describe('a response’s size', () => {
  it.each<[ContentCoding, number]>([
    ['identity', 6 * mebibyte],
    ['br', 24 * mebibyte],
    ['gzip', 24 * mebibyte],
  ])('limits what is read for %s', (coding, bytes) => {
    expect(maxPlainBytes(coding)).toBe(bytes);
  });

  it('may be exactly 6 MB', async () => {
    const small = await pageResponse(pageOfLength(1000), plain);
    const longest = 6 * mebibyte - (sizeOf(small) - 1000);
    const largest = await pageResponse(pageOfLength(longest), plain);
    expect(sizeOf(largest)).toBe(6 * mebibyte);
    await expect(pageResponse(pageOfLength(longest + 1), plain)).rejects.toThrow(tooLarge);
  });

  it('may exceed 6 MB before compression', async () => {
    await expect(pageResponse(pageOfLength(7 * mebibyte), plain)).rejects.toThrow(tooLarge);
    const { isBase64Encoded } = await pageResponse(pageOfLength(7 * mebibyte), { coding: 'gzip' });
    expect(isBase64Encoded).toBe(true);
  });

  it.each(['br', 'gzip'] as const)('may be several megabytes after compression by %s', async (coding) => {
    const page = pageOf({ name: randomBytes(3 * mebibyte).toString('hex') });
    const { body = '' } = await pageResponse(page, { coding });
    expect(body.length).toBeGreaterThan(4 * mebibyte);
  });

  it.each(['br', 'gzip'] as const)('must not exceed 6 MB after compression by %s', async (coding) => {
    const page = pageOf({ name: randomBytes(5 * mebibyte).toString('hex') });
    await expect(pageResponse(page, { coding })).rejects.toThrow(tooLarge);
  });

  const nearlyAll = 6 * mebibyte - 1000;
  it.each([
    ['quotes, which are escaped twice', '"'.repeat(nearlyAll / 4)],
    ['backslashes, which are escaped twice', '\\'.repeat(nearlyAll / 4)],
    ['control characters, which are escaped twice', '\u0001'.repeat(nearlyAll / 7)],
    ['letters of two bytes', 'é'.repeat(nearlyAll / 2)],
    ['letters of three bytes', '水'.repeat(nearlyAll / 3)],
    ['letters of four bytes', '\u{1f33f}'.repeat(nearlyAll / 4)],
  ])('is measured as Lambda measures it: %s', async (_, name) => {
    const response = await pageResponse(pageOf({ name }), plain);
    expect(sizeOf(response)).toBeGreaterThan(6 * mebibyte - 1100);
    expect(sizeOf(response)).toBeLessThanOrEqual(6 * mebibyte);
    const longer = pageOf({ name: `${name}${'x'.repeat(1000)}` });
    await expect(pageResponse(longer, plain)).rejects.toThrow(tooLarge);
  });

  it('is reported as too large for the limit to a caller who passed one', async () => {
    const page = pageOf({ name: randomBytes(5 * mebibyte).toString('hex') });
    const smaller = 'Pass a smaller limit';
    await expect(pageResponse(page, { ...plain, limit: 1 })).rejects.toThrow(smaller);
    await expect(pageResponse(page, { coding: 'br', limit: 1 })).rejects.toThrow(smaller);
  });

  it('includes the headers', async () => {
    // The body alone is slightly smaller than 6 MB.
    const page = pageOfLength(2 * mebibyte, '水');
    await expect(pageResponse(page, plain)).rejects.toThrow(tooLarge);
  });
});
