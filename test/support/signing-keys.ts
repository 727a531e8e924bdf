import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import type { JsonObject } from '../../functions/runtime/json-object.ts';

/** A key of an issuer. Unlike a library for tokens, it signs any bytes. */
export interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  /** The public key, as in a JWKS. */
  readonly jwk: JsonObject;
  /** The whole key, which an issuer must not publish. */
  readonly privateJwk: JsonObject;
  readonly sign: (input: Buffer) => Buffer;
}

const asymmetricKey = (
  {
    alg,
    kid,
    digest,
    padding,
  }: {
    readonly alg: string;
    readonly kid: string;
    readonly digest: string | null;
    readonly padding?: number;
  },
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): SigningKey => ({
  alg,
  kid,
  jwk: { ...publicKey.export({ format: 'jwk' }), alg, kid, use: 'sig' },
  privateJwk: { ...privateKey.export({ format: 'jwk' }), alg, kid, use: 'sig' },
  sign: (input) =>
    sign(digest, input, {
      ...{ key: privateKey, dsaEncoding: 'ieee-p1363', saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
      ...(padding !== undefined && { padding }),
    }),
});

/** The key in the local issuer's private JWK. */
export const localKeyFrom = (jwk: JsonWebKey & { readonly kid: string }): SigningKey => {
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const keys = { privateKey, publicKey: createPublicKey(privateKey) };
  return asymmetricKey({ alg: 'EdDSA', kid: jwk.kid, digest: null }, keys);
};

export const rsaKey = (kid: string, modulusLength = 2048): SigningKey =>
  asymmetricKey({ alg: 'RS256', kid, digest: 'sha256' }, generateKeyPairSync('rsa', { modulusLength }));

export const ecKey = (kid: string): SigningKey =>
  asymmetricKey({ alg: 'ES256', kid, digest: 'sha256' }, generateKeyPairSync('ec', { namedCurve: 'P-256' }));

export const edKey = (kid: string): SigningKey =>
  asymmetricKey({ alg: 'EdDSA', kid, digest: null }, generateKeyPairSync('ed25519'));

const curves = { 256: 'P-256', 384: 'P-384', 512: 'P-521' };

/** A key for each asymmetric JWS algorithm (RFC 7518 section 3.1, RFC 9864). Its id is the algorithm. */
export const keysOfAllAlgorithms: readonly SigningKey[] = [
  ...([256, 384, 512] as const).flatMap((bits) => {
    const [size, digest] = [String(bits), `sha${String(bits)}`];
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const ec = generateKeyPairSync('ec', { namedCurve: curves[bits] });
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    return [
      asymmetricKey({ alg: `RS${size}`, kid: `RS${size}`, digest }, rsa),
      asymmetricKey({ alg: `PS${size}`, kid: `PS${size}`, digest, padding }, rsa),
      asymmetricKey({ alg: `ES${size}`, kid: `ES${size}`, digest }, ec),
    ];
  }),
  ...['EdDSA', 'Ed25519'].map((alg) =>
    asymmetricKey({ alg, kid: alg, digest: null }, generateKeyPairSync('ed25519')),
  ),
];

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
