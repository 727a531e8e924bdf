import { hash } from 'node:crypto';
import { encodePart, encodeText, partsOf, type SigningKey, textOf } from '../support/tokens.ts';
import { altered, type Entry, type MakeToken, sent, tokens } from './entry.ts';
import { ec, attackerEc, ed, attackerEd, attackerRsa } from './keys.ts';

/** A token with another signature. */
const signatureOf =
  (replace: (signature: Buffer, input: string) => Buffer, key?: SigningKey): MakeToken =>
  ({ key: own, token }) => {
    const [header, payload, signature] = partsOf(token({ key: key ?? own }));
    const bytes = replace(Buffer.from(signature, 'base64url'), `${header}.${payload}`);
    return `${header}.${payload}.${bytes.toString('base64url')}`;
  };

/** A valid token with a part of another valid token. */
const mixed =
  (
    mix: (one: readonly [string, string, string], other: readonly [string, string, string]) => string,
  ): MakeToken =>
  ({ token }) =>
    mix(partsOf(token()), partsOf(token({ header: { typ: 'AT+JWT' }, claims: { sub: 'somebody else' } })));

/** A valid token with its claims rewritten after signing. */
const claimsRewritten = (rewrite: (text: string) => string): MakeToken =>
  altered((header, payload, signature) => `${header}.${encodeText(rewrite(textOf(payload)))}.${signature}`);

const half = 32;
const orderOfP256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const orderOfEd25519 = 2n ** 252n + 27742317777372353535851937790883648493n;
const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(2 * half, '0'), 'hex');

/** The other valid ECDSA signature: s becomes the order minus s. */
const negated = (signature: Buffer): Buffer =>
  Buffer.concat([signature.subarray(0, half), bytesOf(orderOfP256 - numberOf(signature.subarray(half)))]);

/** An integer in DER: unsigned, without leading zeros. */
const derInteger = (bytes: Buffer): Buffer => {
  const hex = numberOf(bytes).toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const value = Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex');
  return Buffer.concat([Buffer.from([2, value.length]), value]);
};
const asDer = (signature: Buffer): Buffer => {
  const integers = Buffer.concat([
    derInteger(signature.subarray(0, half)),
    derInteger(signature.subarray(half)),
  ]);
  return Buffer.concat([Buffer.from([0x30, integers.length]), integers]);
};

export const badSignatures: readonly Entry[] = [
  ...sent(
    tokens('signature', {
      'the signature of an attacker': ({ key, token }) =>
        token({ key: attackerRsa, header: { kid: key.kid } }),
      'the claims of another token': mixed(
        ([header, , signature], [, payload]) => `${header}.${payload}.${signature}`,
      ),
      'a signature of zeros': signatureOf(() => Buffer.alloc(256)),
    }),
  ),
  ...tokens('signature', {
    'the header of another token': mixed(
      ([, payload, signature], [header]) => `${header}.${payload}.${signature}`,
    ),
    'the signature of another token': mixed(
      ([header, payload], [, , signature]) => `${header}.${payload}.${signature}`,
    ),
    'a type added after signing': ({ key, token }) => {
      const [, payload, signature] = partsOf(token({ header: { typ: undefined } }));
      return `${encodePart({ alg: key.alg, kid: key.kid, typ: 'at+jwt' })}.${payload}.${signature}`;
    },
    'a later expiry in the claims': claimsRewritten((text) => text.replace(/"exp":\d+/, '"exp":4000000000')),
    'a group added to the claims': claimsRewritten((text) => text.replace('{', '{"groups":["admins"],')),
    'a space after the claims': claimsRewritten((text) => `${text} `),
    'a signature of the payload alone': ({ key, token }) => {
      const [header, payload] = partsOf(token());
      return `${header}.${payload}.${key.sign(Buffer.from(payload)).toString('base64url')}`;
    },
    'a signature of the decoded payload': ({ key, token }) => {
      const [header, payload] = partsOf(token());
      return `${header}.${payload}.${key.sign(Buffer.from(`${header}.${textOf(payload)}`)).toString('base64url')}`;
    },
    'a signature of one byte': signatureOf(() => Buffer.alloc(1)),
    'a signature without its last byte': signatureOf((signature) => signature.subarray(0, -1)),
    'a signature with a trailing zero byte': signatureOf((signature) =>
      Buffer.concat([signature, Buffer.alloc(1)]),
    ),
    'a signature after a zero byte': signatureOf((signature) => Buffer.concat([Buffer.alloc(1), signature])),
    'a reversed signature': signatureOf((signature) => Buffer.from(signature).reverse()),
    'a signature of ones': signatureOf(() => Buffer.alloc(256, 0xff)),
    'an RSA signature of one': signatureOf(() => Buffer.concat([Buffer.alloc(255), Buffer.from([1])])),
    'the digest in place of the signature': signatureOf((_, input) => hash('sha256', input, 'buffer')),
    'an ES256 signature of zeros': signatureOf(() => Buffer.alloc(64), ec),
    'an ES256 signature with a zero s': signatureOf(
      (signature) => Buffer.concat([signature.subarray(0, half), Buffer.alloc(half)]),
      ec,
    ),
    'an ES256 signature of the group order': signatureOf(
      () => Buffer.concat([bytesOf(orderOfP256), bytesOf(orderOfP256)]),
      ec,
    ),
    'an ES256 signature with r and s swapped': signatureOf(
      (signature) => Buffer.concat([signature.subarray(half), signature.subarray(0, half)]),
      ec,
    ),
    'an ES256 signature in DER': signatureOf(asDer, ec),
    'an ES256 signature of an attacker': ({ token }) => token({ key: attackerEc }),
    'an EdDSA signature of zeros': signatureOf(() => Buffer.alloc(64), ed),
    'an EdDSA signature of an attacker': ({ token }) => token({ key: attackerEd }),
    'an EdDSA signature with the group order added': signatureOf(
      (signature) =>
        Buffer.concat([
          signature.subarray(0, half),
          bytesOf(numberOf(Buffer.from(signature.subarray(half)).reverse()) + orderOfEd25519).reverse(),
        ]),
      ed,
    ),
    'an RSA signature under ES256': ({ key, token }) => token({ key, header: { alg: 'ES256', kid: ec.kid } }),
    'an EdDSA signature under ES256': ({ token }) =>
      token({ key: ed, header: { alg: 'ES256', kid: ec.kid } }),
    'an ES256 signature under RS256': ({ key, token }) =>
      token({ key: ec, header: { alg: key.alg, kid: key.kid } }),
  }),
];

export const goodSignatures: readonly Entry[] = tokens('allowed', {
  'a valid token with ES256': ({ token }) => token({ key: ec }),
  'a valid token with EdDSA': ({ token }) => token({ key: ed }),
  // RFC 7518 does not require the smaller s, and neither signature can be made without the key.
  'an ES256 signature with its s negated': signatureOf(negated, ec),
});
