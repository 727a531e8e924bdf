import type { KeyObject } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { type Algorithm, type VerificationKey, verificationKey } from './verification-key.ts';

/** An issuer's keys. */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
  /** The key ids of all keys, also of those that cannot be used. */
  readonly kids: ReadonlySet<unknown>;
}

/** So that a large key set cannot make one token expensive. */
const maxMatches = 8;

/**
 * Reads a key set (RFC 7517 section 5).
 * @throws {Error} unless it has a usable key for one of the algorithms
 */
export const parseKeySet = ({ keys: jwks }: JsonObject, algorithms: readonly Algorithm[]): KeySet => {
  if (!Array.isArray(jwks)) throw new Error('The response of the issuer is not a key set.');
  const objects = jwks.filter(isJsonObject);
  // Nor is the public half of a private key usable, if it is listed as well.
  const exposed = new Set(objects.filter(isPrivate).map(publicPart));
  const keys = objects
    .filter((jwk) => !exposed.has(publicPart(jwk)))
    .flatMap((jwk) => verificationKey(jwk) ?? [])
    .filter(({ algorithm }) => algorithms.includes(algorithm));
  if (!keys.some(({ publicKey }) => publicKey() !== undefined)) {
    throw new Error('The key set of the issuer has no usable key.');
  }
  return { keys, kids: new Set(objects.map(({ kid }) => kid)) };
};

/** The different keys that can have signed a token, at most 8: those of its key id, or all if it has none. */
export const keysFor = ({ keys }: KeySet, algorithm: Algorithm, kid: unknown): readonly KeyObject[] => {
  const found: KeyObject[] = [];
  for (const key of keys) {
    if (found.length === maxMatches) break;
    const matches = key.algorithm === algorithm && (kid === undefined || key.kid === kid);
    const publicKey = matches ? key.publicKey() : undefined;
    if (publicKey !== undefined && !found.some((other) => other.equals(publicKey))) found.push(publicKey);
  }
  return found;
};

/** The modulus of an RSA key, or the x coordinate of another one. */
const publicPart = ({ n, x }: JsonObject): unknown => n ?? x;

/** Whether a key has private parts. Then anyone could sign with it. */
const isPrivate = (jwk: JsonObject): boolean =>
  ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].some((part) => part in jwk);
