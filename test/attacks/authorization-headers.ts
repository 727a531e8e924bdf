import type { Issuer } from '../support/issuer.ts';
import { type Entry, headers, sent } from './attack.ts';

/** Headers in which `$token` is a valid token. */
const texts = (expected: 'allowed' | 'not-a-bearer-token', ...values: readonly string[]): readonly Entry[] =>
  values.flatMap((text) =>
    headers(expected, {
      [`the header ${JSON.stringify(text)}`]: ({ token }) => text.replaceAll('$token', token()),
    }),
  );

/** A header of exactly this size with a valid token: any number of spaces can follow the scheme. */
const headerOf =
  (bytes: number) =>
  ({ token }: Issuer): string => {
    const long = token({ claims: { padding: 'x'.repeat(5500) } });
    return `Bearer${long.padStart(bytes - 'Bearer'.length)}`;
  };

export const credentialEntries: readonly Entry[] = [
  ...sent([
    ...headers('no-identity', { 'no header': () => undefined, 'an empty header': () => '' }),
    ...texts('allowed', 'Bearer $token', 'bearer $token', 'bEaReR     $token'),
    ...headers('allowed', { 'a header of 8,192 bytes': headerOf(8192) }),
    ...texts('not-a-bearer-token', '$token', 'Bearer', 'Bearer$token', 'Bearer\t$token', 'Basic $token'),
    ...texts('not-a-bearer-token', 'Bearer token=$token', 'Bearer $token,', 'Bearer $token, Bearer $token'),
    ...headers('not-a-bearer-token', {
      'the header twice': ({ token }) => [`Bearer ${token()}`, `Bearer ${token()}`],
      'a header of 8,193 bytes': headerOf(8193),
    }),
  ]),
  ...texts('not-a-bearer-token', ' Bearer $token', 'Bearer $token ', 'Bearer $token\n', 'XBearer $token'),
  ...texts('not-a-bearer-token', 'Bearer\u00a0$token', 'Bearer "$token"', 'Bearer $token\r\nX-Admin: yes'),
];
