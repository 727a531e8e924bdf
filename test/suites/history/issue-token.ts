import { principalOf } from '../../../table/principal.ts';
import { signToken } from '../../support/tokens.ts';
import type { Deployment } from './deployments.ts';
import { signingKeys } from './key-set-server.ts';
import type { Token } from './model.ts';
import type { Caller, IssuerKey, NewToken } from './steps.ts';

/** A token as it is sent, and as the model sees it. */
export interface IssuedToken extends Token {
  readonly authorization: string;
}

/** The issuer's settings, its clock, and the key that it currently signs with. */
export interface TokenIssuer extends Pick<Deployment, 'issuer' | 'audience' | 'now'> {
  readonly currentKey: IssuerKey | undefined;
}

const wrongClaims = {
  iss: { iss: 'https://other.example' },
  aud: { aud: 'other' },
  'no aud': { aud: undefined },
  typ: {},
  'no sub': { sub: undefined },
} as const;

/** Signs a token with a unique `jti`. */
export const issueToken = (
  { key: chosen, isForged, kid, times: { exp = 600, nbf = 0, iat = 0 }, wrong }: NewToken,
  { subject, groups }: Caller,
  { issuer, audience, now, currentKey = 'first' }: TokenIssuer,
): IssuedToken => {
  const key = chosen === 'current' ? currentKey : chosen;
  const signer = (isForged ? signingKeys.stranger : signingKeys.issuer)[key];
  const kids = { 'of the key': signingKeys.issuer[key].kid, none: undefined, unknown: signer.kid };
  const header = { typ: 'at+jwt', kid: kids[kid], ...(wrong === 'typ' && { typ: 'JWT' }) };
  const seconds = Math.floor(now() / 1000);
  const claims = {
    ...{ iss: issuer, aud: audience, sub: subject, groups, jti: crypto.randomUUID() },
    ...{ exp: seconds + exp, nbf: seconds + nbf, iat: seconds + iat },
    ...(wrong !== undefined && wrongClaims[wrong]),
  };
  return {
    authorization: `Bearer ${signToken(signer, header, claims)}`,
    principals: [principalOf('user', subject), ...groups.map((group) => principalOf('group', group))],
    signer: signer.kid,
    kid: kids[kid],
    claimsAreValid: wrong === undefined,
    startsAt: (seconds + Math.max(nbf, iat)) * 1000,
    expiresAt: (seconds + exp) * 1000,
  };
};
