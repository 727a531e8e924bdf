import type { Issuer } from '../support/issuer.ts';
import { type Entry, headers, sent } from './entry.ts';

/** A header of exactly this size around a good token: any number of spaces may follow the scheme. */
const headerOf =
  (bytes: number) =>
  ({ token }: Issuer): string => {
    const long = token({ claims: { padding: 'x'.repeat(5500) } });
    return `Bearer${long.padStart(bytes - 'Bearer'.length)}`;
  };

export const missingHeaders: readonly Entry[] = sent(
  headers('no-identity', { 'no header': () => undefined, 'an empty header': () => '' }),
);

export const goodCredentials: readonly Entry[] = sent(
  headers('allowed', {
    'a token behind Bearer': ({ token }) => `Bearer ${token()}`,
    'a token behind bearer': ({ token }) => `bearer ${token()}`,
    'a token behind BEARER': ({ token }) => `BEARER ${token()}`,
    'a token behind bEaReR and five spaces': ({ token }) => `bEaReR     ${token()}`,
    'a header of 8,192 bytes': headerOf(8192),
  }),
);

export const badCredentials: readonly Entry[] = [
  ...sent(
    headers('not-a-bearer-token', {
      'a token without scheme': ({ token }) => token(),
      'the scheme alone': () => 'Bearer',
      'no space behind the scheme': ({ token }) => `Bearer${token()}`,
      'a tab behind the scheme': ({ token }) => `Bearer\t${token()}`,
      'the scheme Basic': ({ token }) => `Basic ${token()}`,
      'the scheme Token': ({ token }) => `Token ${token()}`,
      'a token in quotes': ({ token }) => `Bearer "${token()}"`,
      'a token as a parameter': ({ token }) => `Bearer token=${token()}`,
      'a comma behind the token': ({ token }) => `Bearer ${token()},`,
      'two credentials joined by a comma': ({ token }) => `Bearer ${token()}, Bearer ${token()}`,
      'two tokens': ({ token }) => `Bearer ${token()} ${token()}`,
      'the header twice': ({ token }) => [`Bearer ${token()}`, `Bearer ${token()}`],
      'a header of 8,193 bytes': headerOf(8193),
    }),
  ),
  ...headers('not-a-bearer-token', {
    'a space alone': () => ' ',
    'the scheme and a space': () => 'Bearer ',
    'the scheme twice': ({ token }) => `Bearer Bearer ${token()}`,
    'a scheme that begins alike': ({ token }) => `BearerToken ${token()}`,
    'a scheme that ends alike': ({ token }) => `XBearer ${token()}`,
    'the scheme DPoP': ({ token }) => `DPoP ${token()}`,
    'the scheme with a colon': ({ token }) => `Bearer: ${token()}`,
    'the name of the header in its value': ({ token }) => `Authorization: Bearer ${token()}`,
    'a space in front': ({ token }) => ` Bearer ${token()}`,
    'a space behind': ({ token }) => `Bearer ${token()} `,
    'a tab behind': ({ token }) => `Bearer ${token()}\t`,
    'a space and a tab behind the scheme': ({ token }) => `Bearer \t${token()}`,
    'a no-break space behind the scheme': ({ token }) => `Bearer\u00a0${token()}`,
    'a line break in front': ({ token }) => `\nBearer ${token()}`,
    'a line break behind': ({ token }) => `Bearer ${token()}\n`,
    'a second header line in the value': ({ token }) => `Bearer ${token()}\r\nX-Admin: yes`,
    'a NUL behind': ({ token }) => `Bearer ${token()}\u0000`,
    'a byte order mark in front': ({ token }) => `\ufeffBearer ${token()}`,
    'a space in the token': ({ token }) => `Bearer ${token().replace('.', '. ')}`,
    'a percent escape in the token': ({ token }) => `Bearer ${token().replace('.', '%2e')}`,
    'a letter beyond ASCII in the token': ({ token }) => `Bearer ${token()}ç`,
    'a letter that only looks like ASCII': ({ token }) => `Bearer ${token()}\u212a`,
    'full stops of another script': ({ token }) => `Bearer ${token().replaceAll('.', '\u3002')}`,
    'single quotes': ({ token }) => `Bearer '${token()}'`,
    'angle brackets': ({ token }) => `Bearer <${token()}>`,
    'a parameter behind the token': ({ token }) => `Bearer ${token()}; realm=plants`,
    'padding in the middle': ({ token }) => `Bearer ${token().replace('.', '=.')}`,
    'padding alone': () => 'Bearer =',
    'a comma in front': ({ token }) => `,Bearer ${token()}`,
    'two schemes joined by a comma': ({ token }) => `Basic YTpi, Bearer ${token()}`,
    'an empty header joined to a good one': ({ token }) => ['', `Bearer ${token()}`],
    'a token and its JSON': ({ token }) => `Bearer {"access_token":"${token()}"}`,
    'a header of 100,000 bytes': headerOf(100_000),
  }),
];
