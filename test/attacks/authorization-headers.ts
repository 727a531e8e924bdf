import type { Issuer } from '../support/issuer.ts';
import type { AuthorizationCase } from './authorization-case.ts';

/**
 * A header of this size with a valid token, filled up with spaces, of which any number can follow the scheme.
 */
const headerOf =
  (bytes: number) =>
  ({ token }: Issuer): string => {
    const longToken = token({ claims: { padding: 'x'.repeat(5500) } });
    return `Bearer${longToken.padStart(bytes - 'Bearer'.length)}`;
  };

/** Authorization headers that the contract also sends through each gateway. */
export const gatewayHeaderCases: readonly AuthorizationCase[] = [
  {
    title: 'denies a request without an Authorization header',
    authorization: () => undefined,
    decision: 'no-identity',
  },
  {
    title: 'denies a request with an empty Authorization header',
    authorization: () => '',
    decision: 'no-identity',
  },
  {
    title: 'allows the scheme Bearer with a valid token',
    authorization: ({ token }) => `Bearer ${token()}`,
    decision: 'allowed',
  },
  {
    title: 'allows the scheme in lower case',
    authorization: ({ token }) => `bearer ${token()}`,
    decision: 'allowed',
  },
  {
    title: 'allows the scheme in mixed case, and several spaces after it',
    authorization: ({ token }) => `bEaReR     ${token()}`,
    decision: 'allowed',
  },
  {
    title: 'allows a header of 8,192 bytes',
    authorization: headerOf(8192),
    decision: 'allowed',
  },
  {
    title: 'denies a header of 8,193 bytes',
    authorization: headerOf(8193),
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a valid token without a scheme',
    authorization: ({ token }) => token(),
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies the scheme Bearer without a token',
    authorization: () => 'Bearer',
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a valid token without a space after the scheme',
    authorization: ({ token }) => `Bearer${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a valid token with a tab after the scheme',
    authorization: ({ token }) => `Bearer\t${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a valid token with the scheme Basic',
    authorization: ({ token }) => `Basic ${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a valid token as the value of a parameter',
    authorization: ({ token }) => `Bearer token=${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a valid token with a comma after it',
    authorization: ({ token }) => `Bearer ${token()},`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies two valid credentials in one header',
    authorization: ({ token }) => `Bearer ${token()}, Bearer ${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies two Authorization headers with a valid token each',
    authorization: ({ token }) => [`Bearer ${token()}`, `Bearer ${token()}`],
    decision: 'not-a-bearer-token',
  },
];

export const headerCases: readonly AuthorizationCase[] = [
  {
    title: 'denies a header with a space before the scheme',
    authorization: ({ token }) => ` Bearer ${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a header with a space after the token',
    authorization: ({ token }) => `Bearer ${token()} `,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a header with a line feed after the token',
    authorization: ({ token }) => `Bearer ${token()}\n`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a scheme that only ends with Bearer',
    authorization: ({ token }) => `XBearer ${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a no-break space after the scheme',
    authorization: ({ token }) => `Bearer\u00a0${token()}`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a valid token in quotes',
    authorization: ({ token }) => `Bearer "${token()}"`,
    decision: 'not-a-bearer-token',
  },
  {
    title: 'denies a header that contains a second header',
    authorization: ({ token }) => `Bearer ${token()}\r\nX-Admin: yes`,
    decision: 'not-a-bearer-token',
  },
];
