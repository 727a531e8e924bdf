import { createPrivateKey, generateKeyPairSync, hash, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { z } from 'zod';
import { codeOf, UserError } from '../../cli/terminal/user-error.ts';
import { refusePages } from '../listen.ts';

/** EdDSA tokens are a third shorter than RSA tokens. */
const alg = 'EdDSA';

const keySchema = z.record(z.enum(['kty', 'crv', 'x', 'd', 'kid', 'alg']), z.string());

/** A private signing key as a JWK, with its `kid` and `alg`. */
export type SigningKey = Readonly<z.infer<typeof keySchema>>;

/**
 * Reads the issuer's private key, or creates one that only its owner can read.
 * @throws {UserError} when the file does not hold a private key
 */
export const loadOrCreateKey = (file: string): SigningKey => {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  // The JWK thumbprint (RFC 7638).
  const kid = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
  try {
    writeFileSync(file, JSON.stringify({ kty, crv, x, d, kid, alg }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return readKey(file);
};

/**
 * Reads the issuer's private key.
 * @throws {UserError} when the file does not hold a private key
 */
export const readKey = (file: string): SigningKey => {
  const text = readFileSync(file, 'utf8');
  try {
    const key = keySchema.parse(JSON.parse(text));
    createPrivateKey({ key, format: 'jwk' });
    return key;
  } catch {
    throw new UserError(
      `${file} does not hold an Ed25519 private key. Delete it; the next npm start creates a new one.`,
    );
  }
};

/** Half a day, for the tokens of sample users. */
const defaultLifetimeSeconds = 12 * 3600;

/** Signs an access token of the RFC 9068 profile. */
export const signToken = (
  key: SigningKey,
  given: Readonly<Record<'iss' | 'aud' | 'sub', string>> & { readonly groups: readonly string[] },
  lifetimeSeconds = defaultLifetimeSeconds,
): string => {
  const iat = Math.floor(Date.now() / 1000);
  const header = { alg, typ: 'at+jwt', kid: key.kid };
  const added = { jti: crypto.randomUUID(), client_id: 'local', iat, exp: iat + lifetimeSeconds };
  const signed = [header, { ...given, ...added }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign(null, Buffer.from(signed), createPrivateKey({ key, format: 'jwk' }));
  return `${signed}.${signature.toString('base64url')}`;
};

/** The path of the issuer's key set. */
export const jwksPath = '/.well-known/jwks.json';

/** Serves the public half of the key (RFC 7517 section 5). */
export const issuerServer = ({ kty, crv, x, kid }: SigningKey): Server => {
  const jwks = JSON.stringify({ keys: [{ kty, crv, x, kid, alg, use: 'sig' }] });
  return createServer(
    refusePages(({ method, url }, response) => {
      const found = method === 'GET' && url === jwksPath;
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(found ? jwks : '{}');
    }),
  );
};
