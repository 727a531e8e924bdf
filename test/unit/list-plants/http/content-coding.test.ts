import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseCoding, compress } from '../../../../functions/list-plants/http/content-coding.ts';

describe('the content coding', () => {
  it.each([
    ['nothing', '', 'identity'],
    ['identity alone', 'identity', 'identity'],
    ['gzip alone', 'gzip', 'gzip'],
    ['Brotli alone', 'br', 'br'],
    ['what browsers send', 'gzip, deflate, br, zstd', 'br'],
    ['codings in capitals', 'GZIP', 'gzip'],
    ['a weight in capitals', 'br;Q=0.5, gzip;Q=0.9', 'gzip'],
    ['no spaces', 'deflate,gzip', 'gzip'],
    ['spaces around every part', ' br ; q=0.1 ,\tgzip ; q=0.2 ', 'gzip'],
    ['empty elements', ',, gzip ,', 'gzip'],
    ['codings this service lacks', 'zstd, deflate, compress', 'identity'],
    ['any coding', '*', 'br'],
    ['any coding but Brotli', 'br;q=0, *', 'gzip'],
    ['any coding, Brotli less', '*;q=0.5, br;q=0.1', 'gzip'],
    ['gzip preferred to Brotli', 'br;q=0.5, gzip', 'gzip'],
    ['gzip preferred by a thousandth', 'br;q=0.998, gzip;q=0.999', 'gzip'],
    ['identity preferred to all', 'identity, br;q=0.9, gzip;q=0.9', 'identity'],
    ['a little gzip', 'gzip;q=0.001', 'gzip'],
    ['gzip as good as identity', 'identity, gzip', 'gzip'],
    ['Brotli refused', 'br;q=0', 'identity'],
    ['Brotli refused with decimals', 'br;q=0.000', 'identity'],
    ['Brotli refused, gzip taken', 'gzip;q=0.1, br;q=0', 'gzip'],
    ['everything refused', '*;q=0', 'identity'],
    ['all but gzip refused', '*;q=0, gzip;q=0.3', 'gzip'],
    ['identity refused, gzip taken', 'identity;q=0, gzip', 'gzip'],
    ['a weight over 1', 'br;q=1.001, gzip;q=0.1', 'gzip'],
    ['a weight with four decimals', 'br;q=0.1234, gzip;q=0.1', 'gzip'],
    ['a negative weight', 'br;q=-1', 'identity'],
    ['an empty weight', 'br;q=', 'identity'],
    ['a weight that is a word', 'br;q=high', 'identity'],
    ['a parameter that is no weight', 'br;level=9', 'identity'],
  ])('for a client that accepts %s (%j) is %s', (_, acceptEncoding, coding) => {
    expect(chooseCoding(acceptEncoding)).toBe(coding);
  });

  it.each([
    ['br', 'br;q=0, identity;q=0'],
    ['br', 'br;q=0, gzip;q=0, identity;q=0'],
    ['gzip', 'gzip;q=0, identity;q=0, br;q=0'],
  ])('is never %s where the client refused it along with identity: %s', (refused, acceptEncoding) => {
    expect(chooseCoding(acceptEncoding)).not.toBe(refused);
  });
});

describe('a compressed text', () => {
  const text = '[{"name":"Ökobaum 水"},{"name":"\u{1f33f}"}]'.repeat(1000);

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('in %s is smaller and unpacks to the same', async (coding, decompress) => {
    const compressed = await compress(text, coding);
    expect(compressed.length).toBeLessThan(Buffer.byteLength(text) / 10);
    expect(decompress(compressed).toString()).toBe(text);
  });
});
