import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors';
import { jwtVerify, type JWTVerifyOptions } from 'jose/jwt/verify';
import type { JsonObject } from '../runtime/json-object.ts';
import type { DenialReason } from '../runtime/log-events.ts';
import { clockToleranceSeconds } from './claims.ts';
import { Denied } from './denial.ts';
import type { JwksCache, KeySet } from './jwks-cache.ts';
import type { TokenPolicy, TokenProfile } from './token-policy.ts';

/**
 * Verifies the signature of a token and the claims that jose compares, and returns all its claims.
 * @param now milliseconds since 1970
 * @throws {Denied} unless the issuer signed it for this API
 * @throws {JwksUnavailable} when the issuer's keys cannot be fetched, and no recent copy verifies the token
 */
export const verifyToken = async (
  token: string,
  policy: TokenPolicy,
  jwks: JwksCache,
  now: number,
): Promise<JsonObject> => {
  const header = headerOf(token);
  // Checked before the keys are needed: a made-up algorithm must not cause a fetch.
  if (!policy.algorithms.includes(header.alg ?? '')) throw new Denied('algorithm');
  const expected = {
    algorithms: [...policy.algorithms],
    issuer: policy.issuer,
    ...expectedKind(policy.profile, header.typ),
    currentDate: new Date(now),
    clockTolerance: clockToleranceSeconds,
  };

  /** The token's claims; undefined if none of the keys signed it, and others can have. */
  const claimsBy = async (keySet: KeySet): Promise<JsonObject | undefined> => {
    const keys = await keySet(header);
    for (const key of keys) {
      try {
        return (await jwtVerify(token, key, expected)).payload;
      } catch (error) {
        // Any other error is no verdict about the token.
        if (!(error instanceof JOSEError)) throw error;
        const reason = reasonOf(error);
        if (reason !== 'signature') throw new Denied(reason);
      }
    }
    // The keys have the token's `kid`: a newer key set would not help.
    if (keys.length > 0 && header.kid !== undefined) throw new Denied('signature');
    return undefined;
  };

  const claims = (await claimsBy(await jwks.current())) ?? (await claimsBy(await jwks.latest()));
  if (claims === undefined) throw new Denied('unknown-key', header.kid);
  return claims;
};

const headerOf = (token: string): ReturnType<typeof decodeProtectedHeader> => {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw new Denied('not-a-signed-token');
  }
};

const expectedKind = (profile: TokenProfile, typ: unknown): JWTVerifyOptions => {
  switch (profile.name) {
    case 'rfc9068':
      return { audience: profile.audience, typ: 'at+jwt' };
    case 'oidc':
      return { audience: profile.audience, ...(typ !== undefined && { typ: 'JWT' }) };
    case 'cognito':
      return profile.audience === undefined ? {} : { audience: profile.audience };
  }
};

/** The denial reasons for the claims and header parameters that jose verifies, except times. */
const claimReasons: Readonly<Record<string, DenialReason>> = {
  iss: 'issuer',
  aud: 'audience',
  typ: 'token-type',
};

const reasonOf = (error: JOSEError): DenialReason => {
  if (error instanceof JWSSignatureVerificationFailed) return 'signature';
  return 'claim' in error ? (claimReasons[String(error.claim)] ?? 'lifetime') : 'not-a-signed-token';
};
