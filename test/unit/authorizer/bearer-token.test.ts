import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bearerToken } from '../../../functions/authorizer/bearer-token.ts';
import { Denied } from '../../../functions/authorizer/denied.ts';

const refusal = new Denied('not-a-bearer-token');

describe('an Authorization header', () => {
  it.each([
    'Bearer a.b.c',
    'bearer a.b.c',
    'BEARER a.b.c',
    'bEaReR a.b.c',
    'Bearer  a.b.c',
    'Bearer      a.b.c',
  ])('gives its token: %s', (header) => {
    expect(bearerToken(header)).toBe('a.b.c');
  });

  it.each(['a', 'AZaz09', '-._~+/', 'a=', 'a.b.c==', '...'])(
    'may hold any token of RFC 6750: %s',
    (token) => {
      expect(bearerToken(`Bearer ${token}`)).toBe(token);
    },
  );

  it('may be 8,192 bytes long and no longer', () => {
    const longest = 'a'.repeat(8192 - 'Bearer '.length);
    expect(bearerToken(`Bearer ${longest}`)).toBe(longest);
    expect(() => bearerToken(`Bearer ${longest}a`)).toThrow(refusal);
    expect(() => bearerToken(`Bearer  ${longest}`)).toThrow(refusal);
  });

  it('is refused when it holds anything but the scheme, spaces and one token', () => {
    const allowed = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/');
    const pieces = fc.string({
      unit: fc.oneof(fc.constantFrom(...allowed), fc.constantFrom(' ', ',', '=', '\t', '\n', '"', 'é')),
      maxLength: 8,
    });
    fc.assert(
      fc.property(pieces, (piece) => {
        const token = piece.slice(piece.lastIndexOf(' ') + 1);
        const padding = Array.from(token).filter((character) => character === '=').length;
        const bare = token.slice(0, token.length - padding);
        const isWellFormed =
          Array.from(piece.slice(0, piece.length - token.length)).every((character) => character === ' ') &&
          bare !== '' &&
          Array.from(bare).every((character) => allowed.includes(character)) &&
          token.endsWith('='.repeat(padding));
        if (isWellFormed) expect(bearerToken(`Bearer ${piece}`)).toBe(token);
        else expect(() => bearerToken(`Bearer ${piece}`)).toThrow(refusal);
      }),
      { numRuns: 1000 },
    );
  });
});
