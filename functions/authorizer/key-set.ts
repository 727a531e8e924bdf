import { isJsonObject, type JsonObject } from './json-object.ts';
import { type Algorithm, type VerificationKey, verificationKey } from './verification-key.ts';

/** An issuer's keys. */
export interface KeySet {
  readonly keys: readonly VerificationKey[];
  /** The ids of keys that cannot be used. */
  readonly unusable: ReadonlySet<unknown>;
}

/** So that a large key set cannot make one token expensive. */
const maxMatches = 8;

/**
 * Reads a key set (RFC 7517 section 5).
 * @throws {Error} unless it has a usable key
 */
export const parseKeySet = ({ keys: jwks }: JsonObject): KeySet => {
  if (!Array.isArray(jwks)) throw new Error('The response of the issuer is not a key set.');
  const read = jwks.map((jwk: unknown) => ({ jwk, key: verificationKey(jwk) }));
  const keys = read.flatMap(({ key }) => key ?? []);
  if (keys.length === 0) throw new Error('The key set of the issuer has no usable key.');
  const unusable = read.flatMap(({ jwk, key }) => (key === undefined ? kidsOf(jwk) : []));
  return { keys, unusable: new Set(unusable) };
};

/** The keys that can have signed a token, at most 8: those of its key id, or all if it has none. */
export const keysFor = ({ keys }: KeySet, algorithm: Algorithm, kid: unknown): readonly VerificationKey[] =>
  keys
    .filter((key) => key.algorithm === algorithm && (kid === undefined || key.kid === kid))
    .slice(0, maxMatches);

const kidsOf = (jwk: unknown): readonly unknown[] => (isJsonObject(jwk) && 'kid' in jwk ? [jwk['kid']] : []);
