import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { JsonObject } from '../json-object.ts';

/** The supported JWS algorithms, all asymmetric (RFC 7518 section 3.1, RFC 8037 section 3.1). */
export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;

/** A supported JWS algorithm. */
export type Algorithm = (typeof algorithms)[number];

/** A key that an issuer publishes for verifying signatures of one algorithm. */
export interface VerificationKey {
  readonly kid: string | undefined;
  readonly algorithm: Algorithm;
  /** Undefined for a malformed or short key. It is imported when first needed, because a key set can be large. */
  readonly publicKey: () => KeyObject | undefined;
}

/** RFC 7518 section 3.3. */
const minModulusBits = 2048;

/**
 * Reads a key of a key set (RFC 7517 section 4).
 * @returns undefined for a key of another type or for another use
 */
export const verificationKey = (jwk: JsonObject): VerificationKey | undefined => {
  const { kid, use = 'sig', key_ops: operations = ['verify'] } = jwk;
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined || !(kid === undefined || typeof kid === 'string')) return undefined;
  if (use !== 'sig' || !Array.isArray(operations) || !operations.includes('verify')) return undefined;
  let imported: { readonly key: KeyObject | undefined } | undefined;
  return { kid, algorithm, publicKey: () => (imported ??= { key: importKey(jwk) }).key };
};

/** Whether the key made the signature over the input (RFC 7518 sections 3.3 and 3.4, RFC 8037 section 3.1). */
export const verifies = (
  algorithm: Algorithm,
  key: KeyObject,
  input: Uint8Array,
  signature: Uint8Array,
): boolean =>
  verify(algorithm === 'EdDSA' ? null : 'sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);

/** The one algorithm of a key, unless its `alg` says something else. */
const algorithmOf = ({ kty, crv, alg }: JsonObject): Algorithm | undefined => {
  switch (kty) {
    case 'RSA':
      return alg === undefined || alg === 'RS256' ? 'RS256' : undefined;
    case 'EC':
      return crv === 'P-256' && (alg === undefined || alg === 'ES256') ? 'ES256' : undefined;
    case 'OKP':
      // RFC 9864 section 2.2 calls EdDSA with this curve Ed25519.
      return crv === 'Ed25519' && (alg === undefined || alg === 'EdDSA' || alg === 'Ed25519')
        ? 'EdDSA'
        : undefined;
    default:
      return undefined;
  }
};

const importKey = (jwk: JsonObject): KeyObject | undefined => {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const { modulusLength = minModulusBits } = key.asymmetricKeyDetails ?? {};
    return modulusLength < minModulusBits ? undefined : key;
  } catch {
    return undefined;
  }
};
