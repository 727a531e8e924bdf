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
  {
    digest,
    padding,
    ...names
  }: {
    readonly alg: string;
    readonly kid: string;
    readonly digest: string | null;
    readonly padding?: number;
  },
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): SigningKey => ({
  ...names,
  jwk: { ...publicKey.export({ format: 'jwk' }), ...names, use: 'sig' },
  privateJwk: { ...privateKey.export({ format: 'jwk' }), ...names, use: 'sig' },
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
  return asymmetric({ alg: 'EdDSA', kid: jwk.kid, digest: null }, keys);
};

export const rsaKey = (kid: string, modulusLength = 2048): SigningKey =>
  asymmetric({ alg: 'RS256', kid, digest: 'sha256' }, generateKeyPairSync('rsa', { modulusLength }));

export const ecKey = (kid: string): SigningKey =>
  asymmetric({ alg: 'ES256', kid, digest: 'sha256' }, generateKeyPairSync('ec', { namedCurve: 'P-256' }));

export const edKey = (kid: string): SigningKey =>
  asymmetric({ alg: 'EdDSA', kid, digest: null }, generateKeyPairSync('ed25519'));

const curves = { 256: 'P-256', 384: 'P-384', 512: 'P-521' };

/** Keys for each asymmetric JWS algorithm (RFC 7518 section 3.1, RFC 9864), whose ids are the algorithms. */
export const keysOfAllAlgorithms: readonly SigningKey[] = [
  ...([256, 384, 512] as const).flatMap((bits) => {
    const [size, digest] = [String(bits), `sha${String(bits)}`];
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const ec = generateKeyPairSync('ec', { namedCurve: curves[bits] });
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    return [
      asymmetric({ alg: `RS${size}`, kid: `RS${size}`, digest }, rsa),
      asymmetric({ alg: `PS${size}`, kid: `PS${size}`, digest, padding }, rsa),
      asymmetric({ alg: `ES${size}`, kid: `ES${size}`, digest }, ec),
    ];
  }),
  ...['EdDSA', 'Ed25519'].map((alg) =>
    asymmetric({ alg, kid: alg, digest: null }, generateKeyPairSync('ed25519')),
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
