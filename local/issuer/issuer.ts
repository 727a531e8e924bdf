import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
// The whole of jose takes longer to load.
import { SignJWT } from 'jose/jwt/sign';
import * as v from 'valibot';
import { UserError } from '../../cli/terminal/user-error.ts';
import { serverForPrograms } from '../listen.ts';
import { jwksPath } from '../service-file.ts';

/** EdDSA tokens are a third shorter than RSA tokens. */
const alg = 'EdDSA';

const keySchema = v.object(v.entriesFromList(['kty', 'crv', 'x', 'd', 'kid', 'alg'], v.string()));

/** A private signing key as a JWK, with its `kid` and `alg`. */
export type SigningKey = Readonly<v.InferOutput<typeof keySchema>>;

/**
 * Reads the issuer's private key. If the file is missing, creates a key that only its owner can read.
 * @throws {UserError} when the file does not hold a private key
 */
export const readKey = (file: string): SigningKey => {
  if (!existsSync(file)) {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const key = JSON.stringify({ ...jwk, kid: crypto.randomUUID(), alg });
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
  }
  const text = readFileSync(file, 'utf8');
  try {
    const key = v.parse(keySchema, JSON.parse(text));
    createPrivateKey({ key, format: 'jwk' });
    return key;
  } catch {
    throw new UserError(
      `${file} does not hold an Ed25519 private key. Delete it; the next npm start creates a new one.`,
    );
  }
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
