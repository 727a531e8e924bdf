import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { JsonObject } from '../../functions/shared/json-object.ts';

/** A key of an issuer. It signs whatever it is given, unlike a library for tokens. */
export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  /** The public key, as in a JWKS. */
  readonly jwk: JsonObject;
  /** The whole key, which an issuer must not publish. */
  readonly privateJwk: JsonObject;
  readonly sign: (input: Buffer) => Buffer;
}

const asymmetric = (
  { alg, kid, digest }: { readonly alg: string; readonly kid: string; readonly digest: string | null },
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): SigningKey => ({
  alg,
  kid,
  jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
  privateJwk: { ...privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
  sign: (input) => sign(digest, input, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
});

/** The key in the local issuer's private JWK. */
export const localKeyFrom = (jwk: JsonWebKey & { readonly kid: string }): SigningKey => {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const keys = { privateKey, publicKey: createPublicKey(privateKey) };
  return asymmetric({ alg: 'EdDSA', kid: jwk.kid, digest: null }, keys);
};

export const rsaKey = (kid: string, modulusLength = 2048): SigningKey =>
  asymmetric({ alg: 'RS256', kid, digest: 'sha256' }, generateKeyPairSync('rsa', { modulusLength }));

export const ecKey = (kid: string): SigningKey =>
  asymmetric({ alg: 'ES256', kid, digest: 'sha256' }, generateKeyPairSync('ec', { namedCurve: 'P-256' }));

export const edKey = (kid: string): SigningKey =>
  asymmetric({ alg: 'EdDSA', kid, digest: null }, generateKeyPairSync('ed25519'));

export const secretKey = (kid: string, secret: string | Buffer): SigningKey => {
  const jwk = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid, alg: 'HS256', use: 'sig' };
  return {
    alg: 'HS256',
    kid,
    jwk,
    privateJwk: jwk,
    sign: (input) => createHmac('sha256', secret).update(input).digest(),
  };
};

export const encodePart = (value: unknown): string => encodeText(JSON.stringify(value));

/** Signs a header and claims. A member that is `undefined` is left out. */
export const signToken = (key: SigningKey, header: JsonObject, claims: unknown): string =>
  signParts(key, encodePart({ alg: key.alg, kid: key.kid, ...header }), encodePart(claims));

/** Signs the encoded header and payload of a token. */
export const signParts = (key: SigningKey, header: string, payload: string): string => {
  const input = `${header}.${payload}`;
  return `${input}.${key.sign(Buffer.from(input)).toString('base64url')}`;
};

/** The parts of a token. */
export const partsOf = (token: string): readonly [header: string, payload: string, signature: string] => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
};

/** A part of a token as JSON text. */
export const textOf = (part: string): string => Buffer.from(part, 'base64url').toString();

/** Encodes text or bytes as a part of a token. */
export const encodeText = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
