import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseCoding, compress } from '../../../../functions/list-plants/http/content-coding.ts';

describe('the content coding', () => {
  it.each([
    ['nothing', '', 'identity'],
    ['only identity', 'identity', 'identity'],
    ['only gzip', 'gzip', 'gzip'],
    ['only Brotli', 'br', 'br'],
    ['a browser’s codings', 'gzip, deflate, br, zstd', 'br'],
    ['codings in upper case', 'GZIP', 'gzip'],
    ['a weight in upper case', 'br;Q=0.5, gzip;Q=0.9', 'gzip'],
    ['no spaces', 'deflate,gzip', 'gzip'],
    ['spaces around every part', ' br ; q=0.1 ,\tgzip ; q=0.2 ', 'gzip'],
    ['empty elements', ',, gzip ,', 'gzip'],
    ['unknown codings', 'zstd, deflate, compress', 'identity'],
    ['any coding', '*', 'br'],
    ['any coding but Brotli', 'br;q=0, *', 'gzip'],
    ['any coding, Brotli with less weight', '*;q=0.5, br;q=0.1', 'gzip'],
    ['any coding, both with less weight', 'br;q=0.1, gzip;q=0.1, *', 'br'],
    ['gzip preferred to Brotli', 'br;q=0.5, gzip', 'gzip'],
    ['gzip preferred by a thousandth', 'br;q=0.998, gzip;q=0.999', 'gzip'],
    ['identity preferred to all', 'identity, br;q=0.9, gzip;q=0.9', 'identity'],
    ['gzip with the weight 1', 'br;q=0.9, gzip;q=1', 'gzip'],
    ['gzip with the weight 1 in decimals', 'br;q=0.9, gzip;q=1.000', 'gzip'],
    ['gzip with the least weight', 'gzip;q=0.001', 'gzip'],
    ['gzip with the weight of identity', 'identity, gzip', 'gzip'],
    ['Brotli refused', 'br;q=0', 'identity'],
    ['Brotli refused with decimals', 'br;q=0.000', 'identity'],
    ['gzip with Brotli refused', 'gzip;q=0.1, br;q=0', 'gzip'],
    ['everything refused', '*;q=0', 'identity'],
    ['everything but gzip refused', '*;q=0, gzip;q=0.3', 'gzip'],
    ['gzip with identity refused', 'identity;q=0, gzip', 'gzip'],
    ['a weight over 1', 'br;q=1.001, gzip;q=0.1', 'gzip'],
    ['a weight with four decimals', 'br;q=0.1234, gzip;q=0.1', 'gzip'],
    ['a negative weight', 'br;q=-1', 'identity'],
    ['an empty weight', 'br;q=', 'identity'],
    ['a weight that is a word', 'br;q=high', 'identity'],
    ['a parameter that is not a weight', 'br;level=9', 'identity'],
    ['a parameter that ends like a weight', 'br;rq=1', 'identity'],
  ])('for a client that accepts %s (%j) is %s', (_, acceptEncoding, coding) => {
    expect(chooseCoding(acceptEncoding)).toBe(coding);
  });

  it.each([
    ['br', 'br;q=0, identity;q=0'],
    ['br', 'br;q=0, gzip;q=0, identity;q=0'],
    ['gzip', 'gzip;q=0, identity;q=0, br;q=0'],
  ])('is never %s when the client refuses it together with identity: %s', (refused, acceptEncoding) => {
    expect(chooseCoding(acceptEncoding)).not.toBe(refused);
  });
});

describe('a compressed text', () => {
  const text = '[{"name":"Ökobaum 水"},{"name":"\u{1f33f}"}]'.repeat(1000);

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('in %s is smaller, and decompresses to the same text', (coding, decompress) => {
    const compressed = compress(text, coding);
    expect(compressed.length).toBeLessThan(Buffer.byteLength(text) / 10);
    expect(decompress(compressed).toString()).toBe(text);
  });

  it.each([
    ['br', brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['gzip', gzipSync(text, { level: 1 })],
  ] as const)('in %s has level 1, which is fast', (coding, { length }) => {
    expect(compress(text, coding)).toHaveLength(length);
  });
});
