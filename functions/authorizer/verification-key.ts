import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** The supported JWS algorithms, all asymmetric (RFC 7518 section 3.1, RFC 8037 section 3.1). */
export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;

export type Algorithm = (typeof algorithms)[number];

/** A public key that verifies signatures of one algorithm. */
export interface VerificationKey {
  readonly kid: string | undefined;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
}

/** NIST SP 800-131A Rev. 2 section 3, and RFC 7518 section 3.3. */
const minModulusBits = 2048;

const privateParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Reads a key of a key set (RFC 7517 section 4).
 * @returns undefined for a key that must not verify signatures: of another type, for another use, too short, malformed, or
 * with private parts, which anyone could sign with
 */
export const verificationKey = (jwk: unknown): VerificationKey | undefined => {
  if (!isJsonObject(jwk)) return undefined;
  const { kid, use, alg, key_ops: operations = ['verify'] } = jwk;
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined || (kid !== undefined && typeof kid !== 'string')) return undefined;
  // RFC 9864 section 2.2 names EdDSA with this curve Ed25519.
  const named = [undefined, algorithm, algorithm === 'EdDSA' ? 'Ed25519' : algorithm];
  const isForVerifying =
    (use === undefined || use === 'sig') && Array.isArray(operations) && operations.includes('verify');
  if (!named.some((name) => name === alg) || !isForVerifying) return undefined;
  if (privateParts.some((part) => part in jwk)) return undefined;
  const key = publicKey(jwk);
  return key === undefined || isTooShort(key) ? undefined : { kid, algorithm, key };
};

/** Whether the key made the signature over the input (RFC 7518 sections 3.3 and 3.4, RFC 8037 section 3.1). */
export const verifies = (
  { algorithm, key }: VerificationKey,
  input: Uint8Array,
  signature: Uint8Array,
): boolean =>
  verify(algorithm === 'EdDSA' ? null : 'sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);

const algorithmOf = ({ kty, crv }: JsonObject): Algorithm | undefined => {
  if (kty === 'RSA') return 'RS256';
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  return kty === 'OKP' && crv === 'Ed25519' ? 'EdDSA' : undefined;
};

const publicKey = (jwk: JsonObject): KeyObject | undefined => {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
};

const isTooShort = ({ asymmetricKeyDetails: { modulusLength = minModulusBits } = {} }: KeyObject): boolean =>
  modulusLength < minModulusBits;
