import { expect, it } from 'vitest';
import { chooseCoding } from '../../../functions/http/content-coding.ts';

it.each([
  ['a coding and a weight in upper case', 'br;Q=0.5, GZIP;Q=0.9', 'gzip'],
  ['spaces around every part', ' br ; q=0.1 ,\tgzip ; q=0.2 ', 'gzip'],
  ['any coding, and Brotli with less weight', '*;q=0.5, br;q=0.1', 'gzip'],
  ['any coding, and Brotli and gzip with less weight', 'br;q=0.1, gzip;q=0.1, *', 'br'],
  ['gzip preferred by a thousandth', 'br;q=0.998, gzip;q=0.999', 'gzip'],
  ['identity preferred to any other coding', 'identity;q=0.5, *;q=0.1', 'identity'],
  ['gzip with the weight 1 in decimals', 'br;q=0.9, gzip;q=1.000', 'gzip'],
  ['every coding refused', 'br;q=0, gzip;q=0, identity;q=0', 'identity'],
  ['a weight over 1', 'br;q=1.001, gzip;q=0.1', 'gzip'],
  ['a weight with four decimals', 'br;q=0.1234, gzip;q=0.1', 'gzip'],
  ['a parameter that ends like a weight', 'br;rq=1', 'identity'],
])('for Accept-Encoding with %s (%j) chooses %s', (_, acceptEncoding, coding) => {
  expect(chooseCoding(acceptEncoding)).toBe(coding);
});
