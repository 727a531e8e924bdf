import type { SigningKey } from './signing-keys.ts';
import { signToken } from './tokens.ts';

/** The differences from a valid token; `undefined` leaves a field out. */
export interface TokenChanges {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs in place of the issuer's key. */
  readonly key?: SigningKey;
}

/** The issuer that a service trusts. */
export interface Issuer {
  /** The `iss` of valid tokens. */
  readonly name: string;
  readonly key: SigningKey;
  /** The `aud` of valid tokens. */
  readonly audience: string;
  /** Signs a token that is valid except for these changes. */
  readonly token: (changes?: TokenChanges) => string;
}

/** An issuer of the RFC 9068 profile. */
export const issuerOf = (key: SigningKey, name: string, audience: string): Issuer => ({
  name,
  key,
  audience,
  token: ({ header, claims, key: signer = key } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    return signToken(
      signer,
      { typ: 'at+jwt', ...header },
      { iss: name, aud: audience, sub: 'somebody', iat: now, exp: now + 600, ...claims },
    );
  },
});
