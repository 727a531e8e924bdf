import { type SigningKey, signToken } from './tokens.ts';

/** What a token says where it differs from a good one; `undefined` leaves a field out. */
export interface TokenChanges {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs instead of the issuer's own. */
  readonly key?: SigningKey;
}

/** The issuer a service trusts. */
export interface Issuer {
  /** The `iss` of good tokens. */
  readonly name: string;
  readonly key: SigningKey;
  /** The `aud` of good tokens. */
  readonly audience: string;
  /** Signs a token, good unless changed. */
  readonly token: (changes?: TokenChanges) => string;
}

/** Plays an issuer of the RFC 9068 profile. */
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
