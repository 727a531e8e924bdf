import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bearerToken } from '../../../functions/authorizer/bearer-token.ts';
import { Denied } from '../../../functions/authorizer/denied.ts';

const denied = new Denied('not-a-bearer-token');

describe('an Authorization header', () => {
  it.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer  ', 'Bearer      '])(
    'has a token after the scheme: %j',
    (scheme) => {
      expect(bearerToken(`${scheme}a.b.c`)).toBe('a.b.c');
    },
  );

  it.each(['a', 'AZaz09', '-._~+/', 'a=', 'a.b.c==', '...'])('has any token of RFC 6750: %s', (token) => {
    expect(bearerToken(`Bearer ${token}`)).toBe(token);
  });

  it('has at most 8,192 bytes', () => {
    const longest = 'a'.repeat(8192 - 'Bearer '.length);
    expect(bearerToken(`Bearer ${longest}`)).toBe(longest);
    expect(() => bearerToken(`Bearer ${longest}a`)).toThrow(denied);
    expect(() => bearerToken(`Bearer  ${longest}`)).toThrow(denied);
  });

  it('is denied unless it is the scheme, spaces and one token', () => {
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
        else expect(() => bearerToken(`Bearer ${piece}`)).toThrow(denied);
      }),
      { numRuns: 1000 },
    );
  });
});
