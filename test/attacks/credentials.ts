import type { Issuer } from '../support/issuer.ts';
import { type Entry, headers, sent } from './entry.ts';

/** A header of exactly this size with a valid token: any number of spaces can follow the scheme. */
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
    'a token after Bearer': ({ token }) => `Bearer ${token()}`,
    'a token after bearer': ({ token }) => `bearer ${token()}`,
    'a token after BEARER': ({ token }) => `BEARER ${token()}`,
    'a token after bEaReR and five spaces': ({ token }) => `bEaReR     ${token()}`,
    'a header of 8,192 bytes': headerOf(8192),
  }),
);

export const badCredentials: readonly Entry[] = [
  ...sent(
    headers('not-a-bearer-token', {
      'a token without scheme': ({ token }) => token(),
      'only the scheme': () => 'Bearer',
      'no space after the scheme': ({ token }) => `Bearer${token()}`,
      'a tab after the scheme': ({ token }) => `Bearer\t${token()}`,
      'the scheme Basic': ({ token }) => `Basic ${token()}`,
      'the scheme Token': ({ token }) => `Token ${token()}`,
      'a token in quotes': ({ token }) => `Bearer "${token()}"`,
      'a token as a parameter': ({ token }) => `Bearer token=${token()}`,
      'a comma after the token': ({ token }) => `Bearer ${token()},`,
      'two credentials joined by a comma': ({ token }) => `Bearer ${token()}, Bearer ${token()}`,
      'two tokens': ({ token }) => `Bearer ${token()} ${token()}`,
      'the header twice': ({ token }) => [`Bearer ${token()}`, `Bearer ${token()}`],
      'a header of 8,193 bytes': headerOf(8193),
    }),
  ),
  ...headers('not-a-bearer-token', {
    'only a space': () => ' ',
    'the scheme and a space': () => 'Bearer ',
    'the scheme twice': ({ token }) => `Bearer Bearer ${token()}`,
    'a scheme with Bearer as its prefix': ({ token }) => `BearerToken ${token()}`,
    'a scheme with Bearer as its suffix': ({ token }) => `XBearer ${token()}`,
    'the scheme DPoP': ({ token }) => `DPoP ${token()}`,
    'the scheme with a colon': ({ token }) => `Bearer: ${token()}`,
    'the name of the header in its value': ({ token }) => `Authorization: Bearer ${token()}`,
    'a leading space': ({ token }) => ` Bearer ${token()}`,
    'a trailing space': ({ token }) => `Bearer ${token()} `,
    'a trailing tab': ({ token }) => `Bearer ${token()}\t`,
    'a space and a tab after the scheme': ({ token }) => `Bearer \t${token()}`,
    'a no-break space after the scheme': ({ token }) => `Bearer\u00a0${token()}`,
    'a leading line break': ({ token }) => `\nBearer ${token()}`,
    'a trailing line break': ({ token }) => `Bearer ${token()}\n`,
    'a second header line in the value': ({ token }) => `Bearer ${token()}\r\nX-Admin: yes`,
    'a trailing NUL': ({ token }) => `Bearer ${token()}\u0000`,
    'a leading byte order mark': ({ token }) => `\ufeffBearer ${token()}`,
    'a space in the token': ({ token }) => `Bearer ${token().replace('.', '. ')}`,
    'a percent escape in the token': ({ token }) => `Bearer ${token().replace('.', '%2e')}`,
    'a letter outside ASCII in the token': ({ token }) => `Bearer ${token()}ç`,
    'a letter that looks like ASCII': ({ token }) => `Bearer ${token()}\u212a`,
    'full stops of another script': ({ token }) => `Bearer ${token().replaceAll('.', '\u3002')}`,
    'single quotes': ({ token }) => `Bearer '${token()}'`,
    'angle brackets': ({ token }) => `Bearer <${token()}>`,
    'a parameter after the token': ({ token }) => `Bearer ${token()}; realm=plants`,
    'padding in the middle': ({ token }) => `Bearer ${token().replace('.', '=.')}`,
    'only padding': () => 'Bearer =',
    'a leading comma': ({ token }) => `,Bearer ${token()}`,
    'two schemes joined by a comma': ({ token }) => `Basic YTpi, Bearer ${token()}`,
    'an empty header and a valid one': ({ token }) => ['', `Bearer ${token()}`],
    'a token in JSON': ({ token }) => `Bearer {"access_token":"${token()}"}`,
    'a header of 100,000 bytes': headerOf(100_000),
  }),
];
