import type { CryptoKey, JWK, JWSHeaderParameters } from 'jose';
import { JWKSMultipleMatchingKeys } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { isJsonObject } from '../runtime/json-object.ts';
import { jwksError } from './fetch-jwks.ts';

/** The keys that an issuer publishes. */
export interface KeySet {
  /** Up to eight keys that can have signed a token with this header. */
  readonly candidates: (header: JWSHeaderParameters) => Promise<readonly CryptoKey[]>;
}

/** Limits the signatures that are verified for one token, however many keys have its `kid`. */
const maxCandidates = 8;

/**
 * Parses a JWKS (RFC 7517 section 5).
 * @throws {Error} if no key in it can be used with one of the algorithms
 */
export const parseKeySet = async (text: string, algorithms: readonly string[]): Promise<KeySet> => {
  const jwks: unknown = JSON.parse(text);
  if (!isJsonObject(jwks) || !Array.isArray(jwks['keys'])) throw jwksError('NoKeySet');
  // jose checks the members of a key, but not that a key is an object.
  const findKey = createLocalJWKSet({
    keys: jwks['keys'].filter((key: unknown): key is JWK => isJsonObject(key)),
  });

  const candidates = async (header: JWSHeaderParameters): Promise<readonly CryptoKey[]> => {
    const keys: CryptoKey[] = [];
    for await (const key of matchingKeys(findKey, header)) {
      if (isStrong(key)) keys.push(key);
      if (keys.length === maxCandidates) break;
    }
    return keys;
  };
  const usable = await Promise.all(algorithms.map((alg) => candidates({ alg })));
  if (usable.flat().length === 0) throw jwksError('NoUsableKey');
  return { candidates };
};

/** The keys that match a header's `alg` and `kid`. Malformed keys are skipped. */
const matchingKeys = async function* (
  findKey: ReturnType<typeof createLocalJWKSet>,
  header: JWSHeaderParameters,
): AsyncGenerator<CryptoKey> {
  try {
    yield await findKey(header);
  } catch (error) {
    // For several matching keys, jose throws an error that iterates over them. Any other error means no key.
    if (error instanceof JWKSMultipleMatchingKeys) yield* error;
  }
};

/**
 * Whether a key has at least 2,048 bits, if it is an RSA key (RFC 7518 section 3.3). Checked before jose
 * verifies with the key, because jose throws a TypeError for a weak key, which looks like a defect of this
 * code.
 */
const isStrong = ({ algorithm }: CryptoKey): boolean =>
  !('modulusLength' in algorithm) || Number(algorithm.modulusLength) >= 2048;
