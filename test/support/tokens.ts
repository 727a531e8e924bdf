import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '../../functions/authorizer/json-object.ts';

/** A key of an issuer. Signing goes by node:crypto, so that a token may be wrong in ways that jose refuses to make. */
export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  /** The public half, as a key set holds it. */
  readonly jwk: JsonObject;
  readonly sign: (input: Buffer) => Buffer;
}

const asymmetric = (
  { alg, kid, digest }: { readonly alg: string; readonly kid: string; readonly digest: string | null },
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): SigningKey => ({
  alg,
  kid,
  jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
  sign: (input) => sign(digest, input, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
});

export const rsaKey = (kid: string, modulusLength = 2048): SigningKey =>
  asymmetric({ alg: 'RS256', kid, digest: 'sha256' }, generateKeyPairSync('rsa', { modulusLength }));

export const ecKey = (kid: string): SigningKey =>
  asymmetric({ alg: 'ES256', kid, digest: 'sha256' }, generateKeyPairSync('ec', { namedCurve: 'P-256' }));

export const edKey = (kid: string): SigningKey =>
  asymmetric({ alg: 'EdDSA', kid, digest: null }, generateKeyPairSync('ed25519'));

export const secretKey = (kid: string, secret: string | Buffer): SigningKey => ({
  alg: 'HS256',
  kid,
  jwk: { kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid, alg: 'HS256', use: 'sig' },
  sign: (input) => createHmac('sha256', secret).update(input).digest(),
});

export const encodePart = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs what is given, as it is; a header or claim that is `undefined` is left out. */
export const signToken = (key: SigningKey, header: JsonObject, claims: unknown): string => {
  const input = `${encodePart({ alg: key.alg, kid: key.kid, ...header })}.${encodePart(claims)}`;
  return `${input}.${key.sign(Buffer.from(input)).toString('base64url')}`;
};
