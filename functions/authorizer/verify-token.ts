import type { CryptoKey } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWSSignatureVerificationFailed } from 'jose/errors';
import { jwtVerify, type JWTVerifyOptions } from 'jose/jwt/verify';
import type { JsonObject } from '../runtime/json-object.ts';
import { denialReasonFor, joseRules } from './claims.ts';
import { Denied } from './denial.ts';
import type { JwksCache } from './jwks-cache.ts';
import type { TokenPolicy } from './token-policy.ts';

/**
 * Verifies the signature of a token and the claims that jose checks, and returns all its claims.
 * @param now milliseconds since 1970
 * @throws {Denied} unless the issuer signed the token for this API
 * @throws {JwksUnavailable} if the decision needs a newer key set, and the fetch fails
 */
export const verifyToken = async (
  token: string,
  policy: TokenPolicy,
  jwks: JwksCache,
  now: number,
): Promise<JsonObject> => {
  const header = headerOf(token);
  // Checked before the keys are needed, because a made-up algorithm must not cause a fetch.
  if (!policy.algorithms.includes(header.alg ?? '')) throw new Denied('algorithm');
  const options = { algorithms: [...policy.algorithms], ...joseRules(policy, header.typ, now) };

  for (const getKeySet of [jwks.current, jwks.latest]) {
    const { candidates } = await getKeySet();
    const keys = await candidates(header);
    const claims = await claimsSignedBy(keys, token, options);
    if (claims !== undefined) return claims;
    // Issuers do not reuse a `kid`, so fetching the key set again would not help.
    if (keys.length > 0 && header.kid !== undefined) throw new Denied('signature');
  }
  throw new Denied('unknown-key', header.kid);
};

const headerOf = (token: string): ReturnType<typeof decodeProtectedHeader> => {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw new Denied('not-a-signed-token');
  }
};

/**
 * Returns the claims of a token, or undefined if none of the keys signed it.
 * @throws {Denied} if the token is malformed, or a key signed it but jose rejects its claims
 */
const claimsSignedBy = async (
  keys: readonly CryptoKey[],
  token: string,
  options: JWTVerifyOptions,
): Promise<JsonObject | undefined> => {
  for (const key of keys) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof JOSEError)) throw error;
      // Another key may have signed the token.
      if (error instanceof JWSSignatureVerificationFailed) continue;
      throw new Denied('claim' in error ? denialReasonFor(String(error.claim)) : 'not-a-signed-token');
    }
  }
  return undefined;
};
