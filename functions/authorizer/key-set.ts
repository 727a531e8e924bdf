import { createECDH, createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../shared/json-object.ts';

/** The supported JWS algorithms, all asymmetric (RFC 7518 section 3.1, RFC 8037 section 3.1). */
export const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;
/** A supported JWS algorithm. */
export type Algorithm = (typeof algorithms)[number];

/** A key that an issuer publishes for verifying signatures of one algorithm. */
interface VerificationKey {
  readonly kid: string | undefined;
  readonly algorithm: Algorithm;
  readonly publicKey: KeyObject;
}

/** An issuer's keys. */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
  /** The key ids of all keys, also of those that cannot be used. */
  readonly kids: ReadonlySet<unknown>;
}

/** An error of a key-set fetch. Only its code is logged, which holds no data of the response. */
export const jwksError = (code: string): Error => Object.assign(new Error(code), { code });

/** RFC 7518 section 3.3. */
const minModulusBits = 2048;
/** Verifying with 8 keys of this size takes 6 ms; with OpenSSL's maximum of 16,384 bits 24 ms. */
const maxModulusBits = 8192;
/** With the exponent 1 anyone can sign. Node.js takes seconds to read an exponent of 60,000 bytes. */
const [minExponent, maxExponent] = [3n, 2n ** 32n - 1n];
/** Bounds the cost of one token, however large the key set is. */
const maxMatches = 8;

/**
 * Reads a key set (RFC 7517 section 5).
 * @throws {Error} unless it has a usable key for one of the algorithms
 */
export const parseKeySet = ({ keys: jwks }: JsonObject, allowed: readonly Algorithm[]): KeySet => {
  if (!Array.isArray(jwks)) throw jwksError('NoKeySet');
  const objects = jwks.filter(isJsonObject);
  // A key whose private half is also published is ignored, because anyone can sign with it.
  const exposed = objects.filter(isPrivate).flatMap(publicNumbersOf);
  const keys = objects
    .filter((jwk) => !isPrivate(jwk))
    .flatMap((jwk) => verificationKey(jwk) ?? [])
    .filter(({ algorithm }) => allowed.includes(algorithm))
    .filter(({ publicKey }) => !isExposed(publicKey, exposed));
  if (keys.length === 0) throw jwksError('NoUsableKey');
  return { keys, kids: new Set(objects.map(({ kid }) => kid)) };
};

/** Up to 8 distinct candidate keys of the token's algorithm: those with its key id, or any without one. */
export const keysFor = ({ keys }: KeySet, algorithm: Algorithm, kid: unknown): readonly KeyObject[] => {
  const found: KeyObject[] = [];
  for (const { publicKey, ...key } of keys) {
    if (found.length === maxMatches) break;
    const matches = key.algorithm === algorithm && (kid === undefined || key.kid === kid);
    if (matches && !found.some((other) => other.equals(publicKey))) found.push(publicKey);
  }
  return found;
};

/** Verifies a signature (RFC 7518 sections 3.3 and 3.4, RFC 8037 section 3.1). */
export const verifies = (
  algorithm: Algorithm,
  key: KeyObject,
  input: Uint8Array,
  signature: Uint8Array,
): boolean =>
  verify(algorithm === 'EdDSA' ? null : 'sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);

/** Reads a JWK (RFC 7517 section 4); undefined if it is malformed, weak, or of another type or use. */
const verificationKey = (jwk: JsonObject): VerificationKey | undefined => {
  const { kid, use = 'sig', key_ops: operations = ['verify'] } = jwk;
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined || !(kid === undefined || typeof kid === 'string')) return undefined;
  if (use !== 'sig' || !Array.isArray(operations) || !operations.includes('verify')) return undefined;
  if (numberIn(jwk['e']) > maxExponent) return undefined;
  const publicKey = unlessMalformed(() => createPublicKey({ key: { ...jwk }, format: 'jwk' }));
  const { modulusLength = minModulusBits, publicExponent = minExponent } =
    publicKey?.asymmetricKeyDetails ?? {};
  const isSizeSafe = modulusLength >= minModulusBits && modulusLength <= maxModulusBits;
  const isExponentSafe = publicExponent >= minExponent && publicExponent % 2n === 1n;
  return publicKey !== undefined && isSizeSafe && isExponentSafe ? { kid, algorithm, publicKey } : undefined;
};

/** RFC 7518 sections 6.2.2, 6.3.2 and 6.4, RFC 8037 section 2. */
const privateParameters: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const isPrivate = (jwk: JsonObject): boolean => privateParameters.some((part) => part in jwk);

/** The algorithm of a key's type and curve; undefined if unsupported, or if `alg` names another. */
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

/** The numbers of a private JWK's public key: RSA's n, p and q; a point's x, given or derived from `d`. */
const publicNumbersOf = ({ n, p, q, x, ...jwk }: JsonObject): readonly bigint[] =>
  [n, p, q, x, unlessMalformed(() => derivedX(jwk))]
    .map(numberIn)
    // Ignore small numbers: they identify no key, and a key set can hold enough to take seconds to compare.
    .filter((number) => number >> 128n > 0n);

const derivedX = ({ kty, d }: JsonObject): string | undefined => {
  const scalar = Buffer.from(numberIn(d).toString(16).padStart(64, '0'), 'hex');
  if (kty === 'OKP') {
    // Node.js requires an x and ignores it.
    const key = { kty, crv: 'Ed25519', x: '', d: scalar.toString('base64url') };
    return createPublicKey(createPrivateKey({ key, format: 'jwk' })).export({ format: 'jwk' }).x;
  }
  const key = createECDH('prime256v1');
  key.setPrivateKey(scalar);
  return key.getPublicKey(null, 'compressed').subarray(1).toString('base64url');
};

/** Whether a number divides the key's RSA modulus or its point's x: only the key's own numbers do. */
const isExposed = (publicKey: KeyObject, numbers: readonly bigint[]): boolean => {
  const { n, x } = publicKey.export({ format: 'jwk' });
  const identity = numberIn(n ?? x);
  return numbers.some((number) => identity % number === 0n);
};

/** The number in a JWK parameter, with any leading zeros (RFC 7518 section 2); 0 if it is missing. */
const numberIn = (part: unknown): bigint =>
  BigInt(`0x0${typeof part === 'string' ? Buffer.from(part, 'base64url').toString('hex') : ''}`);

const unlessMalformed = <Key>(importing: () => Key): Key | undefined => {
  try {
    return importing();
  } catch {
    return undefined;
  }
};
