import { createPrivateKey, createPublicKey, type KeyObject, verify } from 'node:crypto';
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

/** An issuer's response is not a key set that can be used. The message quotes nothing of it. */
export class JwksError extends Error {
  override readonly name = 'JwksError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** RFC 7518 section 3.3. */
const minModulusBits = 2048;
/** So that a large key set cannot make one token expensive. */
const maxMatches = 8;

/**
 * Reads a key set (RFC 7517 section 5).
 * @throws {JwksError} unless it has a usable key for one of the algorithms
 */
export const parseKeySet = ({ keys: jwks }: JsonObject, allowed: readonly Algorithm[]): KeySet => {
  if (!Array.isArray(jwks)) throw new JwksError('NoKeySet', 'The response of the issuer is not a key set.');
  const objects = jwks.filter(isJsonObject);
  // A key whose private half is also published is ignored, because anyone can sign with it.
  const exposed = objects.filter(isPrivate).flatMap(publicKeysOf);
  const keys = objects
    .filter((jwk) => !isPrivate(jwk))
    .flatMap((jwk) => verificationKey(jwk) ?? [])
    .filter(({ algorithm }) => allowed.includes(algorithm))
    .filter(({ publicKey }) => !exposed.some((key) => key.equals(publicKey)));
  if (keys.length === 0) throw new JwksError('NoUsableKey', 'The key set of the issuer has no usable key.');
  return { keys, kids: new Set(objects.map(({ kid }) => kid)) };
};

/** The different keys that can have signed a token, at most 8: those of its key id, or all if it has none. */
export const keysFor = ({ keys }: KeySet, algorithm: Algorithm, kid: unknown): readonly KeyObject[] => {
  const found: KeyObject[] = [];
  for (const { publicKey, ...key } of keys) {
    if (found.length === maxMatches) break;
    const matches = key.algorithm === algorithm && (kid === undefined || key.kid === kid);
    if (matches && !found.some((other) => other.equals(publicKey))) found.push(publicKey);
  }
  return found;
};

/** Whether the key made the signature over the input (RFC 7518 sections 3.3 and 3.4, RFC 8037 section 3.1). */
export const verifies = (
  algorithm: Algorithm,
  key: KeyObject,
  input: Uint8Array,
  signature: Uint8Array,
): boolean =>
  verify(algorithm === 'EdDSA' ? null : 'sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);

/** Reads a key of a key set (RFC 7517 section 4); undefined for a malformed or short one, or one of another type or use. */
const verificationKey = (jwk: JsonObject): VerificationKey | undefined => {
  const { kid, use = 'sig', key_ops: operations = ['verify'] } = jwk;
  const algorithm = algorithmOf(jwk);
  if (algorithm === undefined || !(kid === undefined || typeof kid === 'string')) return undefined;
  if (use !== 'sig' || !Array.isArray(operations) || !operations.includes('verify')) return undefined;
  const publicKey = importKey(jwk);
  const { modulusLength = minModulusBits } = publicKey?.asymmetricKeyDetails ?? {};
  return publicKey === undefined || modulusLength < minModulusBits
    ? undefined
    : { kid, algorithm, publicKey };
};

/** RFC 7518 sections 6.2.2, 6.3.2 and 6.4, RFC 8037 section 2. */
const privateParts: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const isPrivate = (jwk: JsonObject): boolean => privateParts.some((part) => part in jwk);

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

/** The public key in a JWK; undefined for a malformed one. */
const importKey = (jwk: JsonObject): KeyObject | undefined => {
  const publicParts = Object.entries(jwk).filter(([part]) => !privateParts.includes(part));
  return unlessMalformed(() => createPublicKey({ key: Object.fromEntries(publicParts), format: 'jwk' }));
};

/** The public keys of a private JWK. Either of its halves can be malformed while the other still works. */
const publicKeysOf = (jwk: JsonObject): readonly KeyObject[] => {
  const derived = unlessMalformed(() =>
    createPublicKey(createPrivateKey({ key: { ...jwk }, format: 'jwk' })),
  );
  return [importKey(jwk), derived].filter((key) => key !== undefined);
};

const unlessMalformed = <Key>(importing: () => Key): Key | undefined => {
  try {
    return importing();
  } catch {
    return undefined;
  }
};
