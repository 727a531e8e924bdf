import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
// The whole of jose takes longer to load.
import { SignJWT } from 'jose/jwt/sign';
import * as v from 'valibot';
import { codeOf, UserError } from '../../terminal/user-error.ts';
import { serverForPrograms } from '../server/cross-origin.ts';
import { jwksPath } from '../../terminal/local-service.ts';

/** EdDSA tokens are a third shorter than RSA tokens. */
const alg = 'EdDSA';

const text = v.pipe(v.string(), v.nonEmpty());
const keySchema = v.object(v.entriesFromList(['kty', 'crv', 'x', 'd', 'kid', 'alg'], text));

/** A private signing key as a JWK, with its `kid` and `alg`. */
export type SigningKey = Readonly<v.InferOutput<typeof keySchema>>;

/**
 * Reads the issuer's private key. If the file is missing, creates a key that only its owner can read.
 * @throws {UserError} when the file does not hold an Ed25519 private key
 */
export const readKey = (file: string): SigningKey => {
  if (!existsSync(file)) {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const key = JSON.stringify({ ...jwk, kid: crypto.randomUUID(), alg });
    try {
      writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another start was faster, or the file is a link without a target.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  try {
    const key = v.parse(keySchema, JSON.parse(readFileSync(file, 'utf8')));
    const pair = createPublicKey(createPrivateKey({ key, format: 'jwk' }));
    const isUsable = pair.asymmetricKeyType === 'ed25519' && pair.export({ format: 'jwk' }).x === key.x;
    if (isUsable && key.alg === alg) return key;
  } catch {
    // The sentence below names what is expected, whatever the file holds.
  }
  throw new UserError(
    `${file} does not hold an Ed25519 private key. Delete it; the next npm start creates a new one.`,
  );
};

/**
 * Signs an access token of the RFC 9068 profile.
 * @param lifetime such as `60s`. Half a day is for the tokens of sample users.
 */
export const signToken = (
  key: SigningKey,
  claims: Readonly<Record<'iss' | 'aud' | 'sub', string>> & { readonly groups: readonly string[] },
  lifetime = '12h',
): Promise<string> =>
  new SignJWT({ ...claims, client_id: 'local', jti: crypto.randomUUID() })
    .setProtectedHeader({ alg, typ: 'at+jwt', kid: key.kid })
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(key);

/** Serves the public half of the key (RFC 7517 section 5). */
export const issuerServer = ({ kty, crv, x, kid }: SigningKey): Server => {
  const jwks = JSON.stringify({ keys: [{ kty, crv, x, kid, alg, use: 'sig' }] });
  return serverForPrograms(({ method, url }, response) => {
    const found = method === 'GET' && url === jwksPath;
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(found ? jwks : '{}');
  });
};
