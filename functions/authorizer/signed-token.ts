import { compactVerify, type CompactVerifyGetKey, errors } from 'jose';
import { Denied } from './denied.ts';
import { type JsonObject, parseJsonObject } from './json-object.ts';

/** A token whose signature is verified. */
export interface SignedToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/**
 * Verifies a token's signature and reads its claims.
 * @throws what `verifySignature` throws, and {Denied} when the payload is not a JSON object
 */
export const verifyToken = async (
  token: string,
  algorithms: readonly string[],
  getKey: CompactVerifyGetKey,
): Promise<SignedToken> => {
  const { header, payload } = await verifySignature(token, algorithms, getKey);
  return { header, claims: parsePart(payload) };
};

/**
 * Verifies the signature of a compact JWS (RFC 7515 section 7.1) with any payload. The header parameters `jku`, `x5u`,
 * `jwk` and `x5c` are ignored.
 * @param algorithms asymmetric JWS algorithms (RFC 7518 section 3.1)
 * @throws {Denied} unless the issuer signed it with one of the algorithms
 * @throws what `getKey` throws when it cannot decide
 */
export const verifySignature = async (
  token: string,
  algorithms: readonly string[],
  getKey: CompactVerifyGetKey,
): Promise<{ readonly header: JsonObject; readonly payload: Uint8Array }> => {
  const header = parseHeader(token);
  if (typeof header['alg'] !== 'string' || !algorithms.includes(header['alg'])) throw new Denied('algorithm');
  // No extension is supported, so none may be critical (RFC 7515 section 4.1.11).
  if ('crit' in header) throw new Denied('critical-header');
  const { payload } = await compactVerify(token, getKey).catch((error: unknown) => {
    throw denialFor(error, header) ?? error;
  });
  return { header, payload };
};

/** Reads the unverified header of a compact JWS. */
const parseHeader = (token: string): JsonObject => {
  const parts = token.split('.');
  const [header] = parts;
  if (header === undefined || parts.length !== 3 || !parts.every(isCanonicalBase64Url)) {
    throw new Denied('not-a-signed-token');
  }
  return parsePart(Buffer.from(header, 'base64url'));
};

/** jose also accepts padding, white space and stray bits at the end of a part, which are other texts for the same token. */
const isCanonicalBase64Url = (part: string): boolean =>
  part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;

const parsePart = (bytes: Uint8Array): JsonObject => {
  try {
    return parseJsonObject(bytes);
  } catch (cause) {
    throw new Denied('not-a-signed-token', { cause });
  }
};

const denialFor = (error: unknown, { kid }: JsonObject): Denied | undefined => {
  if (error instanceof errors.JWKSNoMatchingKey) {
    return new Denied('unknown-key', { cause: error, kid: typeof kid === 'string' ? kid : undefined });
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return new Denied('signature', { cause: error });
  if (error instanceof errors.JWSInvalid) return new Denied('not-a-signed-token', { cause: error });
  // The key is too short, malformed, ambiguous or meant for another use.
  if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException) {
    return new Denied('unusable-key', { cause: error });
  }
  return undefined;
};
