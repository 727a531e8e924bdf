import { Denied } from './denied.ts';
import { type JsonObject, parseJsonObject } from '../shared/json-object.ts';
import type { JwksCache } from './jwks.ts';
import { type Algorithm, type KeySet, keysFor, verifies } from './key-set.ts';

/** The parts of a token whose signature is verified. */
export interface SignedToken {
  readonly header: JsonObject;
  readonly payload: Uint8Array;
}

/**
 * Verifies the signature of a compact JWS (RFC 7515 section 7.1) with any payload. The header parameters
 * `jku`, `x5u`, `jwk` and `x5c` are ignored.
 * @throws {Denied} unless the issuer signed it with one of the algorithms
 * @throws {JwksUnavailable} when the issuer's keys cannot be fetched, and no recent copy verifies the token
 */
export const verifySignature = async (
  token: string,
  algorithms: readonly Algorithm[],
  jwks: JwksCache,
): Promise<SignedToken> => {
  const parts = token.split('.');
  const [header, payload, signature] = parts.map(decodePart);
  if (header === undefined || payload === undefined || signature === undefined || parts.length !== 3) {
    throw new Denied('not-a-signed-token');
  }
  const parameters = jsonPart(header);
  const algorithm = algorithms.find((allowed) => allowed === parameters['alg']);
  if (algorithm === undefined) throw new Denied('algorithm');
  // No extension is supported, so none may be critical (RFC 7515 section 4.1.11).
  if ('crit' in parameters) throw new Denied('critical-header');
  const { kid } = parameters;
  const input = Buffer.from(token.slice(0, token.lastIndexOf('.')));

  /** Why a key set does not verify the signature; undefined when one of its keys does. */
  const denialWith = (keySet: KeySet): Denied | undefined => {
    const keys = keysFor(keySet, algorithm, kid);
    if (keys.some((key) => verifies(algorithm, key, input, signature))) return undefined;
    if (keys.length > 0) return new Denied('signature');
    return new Denied(kid !== undefined && keySet.kids.has(kid) ? 'unusable-key' : 'unknown-key', kid);
  };

  const current = await jwks.current();
  let denial = denialWith(current);
  // With a key id, a wrong signature is final. Without one, the signing key may be newer than the copy.
  if (denial !== undefined && (denial.reason !== 'signature' || kid === undefined)) {
    const latest = await jwks.latest();
    if (latest !== current) denial = denialWith(latest);
  }
  if (denial !== undefined) throw denial;
  return { header: parameters, payload };
};

/** Decodes base64url; undefined with padding, white space or stray bits, so that a token has one form. */
const decodePart = (part: string): Buffer | undefined => {
  const bytes = Buffer.from(part, 'base64url');
  return part !== '' && bytes.toString('base64url') === part ? bytes : undefined;
};

/** @throws {Denied} unless the bytes of a part are a JSON object */
export const jsonPart = (bytes: Uint8Array): JsonObject => {
  try {
    return parseJsonObject(bytes);
  } catch {
    throw new Denied('not-a-signed-token');
  }
};
