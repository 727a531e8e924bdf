import { createPublicKey } from 'node:crypto';
import type { Issuer } from '../support/issuer.ts';
import { encodePart, partsOf, secretKey } from '../support/tokens.ts';
import { changed, type Entry, headed, type MakeToken, sent, tokens } from './entry.ts';
import { attackerRsa, ec, ed, forgeable, leakedEc, leakedEd, leakedRsa, secret, weak } from './keys.ts';

/** A token with another algorithm and a made-up signature. */
const unsigned =
  (alg: string, signature: string): MakeToken =>
  ({ token }) =>
    `${encodePart({ alg, typ: 'at+jwt' })}.${partsOf(token())[1]}.${signature}`;

/** A token with a MAC. The secret is the issuer's public key in some form. */
const macWith =
  (secretOf: (issuer: Issuer) => string | Buffer): MakeToken =>
  (issuer) =>
    issuer.token({ key: secretKey(issuer.key.kid, secretOf(issuer)) });

const publicKeyOf = ({ key }: Issuer) => createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
const pemOf = (issuer: Issuer): string =>
  publicKeyOf(issuer).export({ type: 'spki', format: 'pem' }).toString();

export const badAlgorithms: readonly Entry[] = [
  ...sent(
    tokens('algorithm', {
      'the algorithm none and a made-up signature': unsigned('none', 'AA'),
      'the issuer’s public key as a secret, as PEM': macWith(pemOf),
    }),
  ),
  ...sent(
    headed('algorithm', 'alg', {
      'the algorithm none and a genuine signature': 'none',
      'the algorithm NONE and a genuine signature': 'NONE',
      'the algorithm PS256, which the stage does not allow': 'PS256',
      'no algorithm': undefined,
    }),
  ),
  ...tokens('algorithm', {
    'the algorithm None and a made-up signature': unsigned('None', 'AA'),
    'the algorithm nOnE and a made-up signature': unsigned('nOnE', 'AA'),
    'the algorithm HS256 and a made-up signature': unsigned('HS256', encodePart('x'.repeat(30))),
    'the issuer’s public key as a secret, as PKCS #1 PEM': macWith((issuer) =>
      publicKeyOf(issuer).export({ type: 'pkcs1', format: 'pem' }).toString(),
    ),
    'the issuer’s public key as a secret, as PEM on one line': macWith((issuer) =>
      pemOf(issuer).replaceAll('\n', ''),
    ),
    'the issuer’s public key as a secret, as DER': macWith((issuer) =>
      publicKeyOf(issuer).export({ type: 'spki', format: 'der' }),
    ),
    'the issuer’s public key as a secret, as a JWK': macWith(({ key }) => JSON.stringify(key.jwk)),
    'the modulus of the issuer’s public key as a secret': macWith(({ key }) =>
      Buffer.from(String(key.jwk['n']), 'base64url'),
    ),
    'an empty secret': macWith(() => ''),
    'a symmetric key that the issuer publishes': ({ token }) => token({ key: secret }),
  }),
  ...headed('algorithm', 'alg', {
    'the algorithm nOnE and a genuine signature': 'nOnE',
    'the algorithm none after a space': ' none',
    'the algorithm HS256 and a genuine signature': 'HS256',
    'the algorithm RS256 in lower case': 'rs256',
    'the algorithm RS256 and a space': 'RS256 ',
    'the algorithm RS256 and a NUL': 'RS256\u0000',
    'several algorithms in one string': 'RS256,ES256',
    'the algorithm RS384': 'RS384',
    'the algorithm RS512': 'RS512',
    'the algorithm ES384': 'ES384',
    'the algorithm ES256K': 'ES256K',
    'the algorithm Ed25519': 'Ed25519',
    'the algorithm ML-DSA-44': 'ML-DSA-44',
    'an encryption algorithm': 'RSA-OAEP',
    'the algorithm dir': 'dir',
    'the algorithm __proto__': '__proto__',
    'the algorithm toString': 'toString',
    'an empty algorithm': '',
    'an algorithm that is null': null,
    'an algorithm that is true': true,
    'an algorithm that is a number': 256,
    'an algorithm that is a list': ['RS256'],
    'an algorithm that is an object': { name: 'RS256' },
  }),
];

export const criticalHeaders: readonly Entry[] = [
  ...sent(
    changed('critical-header', {
      'a critical header with its value': { header: { crit: ['exp'], exp: 4_000_000_000 } },
    }),
  ),
  ...changed('critical-header', {
    'an unencoded payload with crit': { header: { crit: ['b64'], b64: false } },
    'an encoded payload with crit': { header: { crit: ['b64'], b64: true } },
    'an unknown critical header': { header: { crit: ['urn:example:x'], 'urn:example:x': 1 } },
    'a critical header without its value': { header: { crit: ['exp'] } },
    'crit with the names of present parameters': { header: { crit: ['alg', 'kid'] } },
    'an empty crit': { header: { crit: [] } },
    'crit that is null': { header: { crit: null } },
    'crit that is false': { header: { crit: false } },
    'crit that is a string': { header: { crit: 'exp', exp: 1 } },
    'crit that is an object': { header: { crit: { exp: 1 } } },
  }),
];

export const badKeys: readonly Entry[] = [
  ...sent(headed('unknown-key', 'kid', { 'an unknown key id': 'nobody’s', 'an empty key id': '' })),
  ...headed('unknown-key', 'kid', {
    'a key id that is a path': '../../../../dev/null',
    'a key id that is a URL': 'https://evil.example.com/key',
    'a key id that is SQL': "x' UNION SELECT 'secret';--",
    'a key id that is a command': '|/bin/sleep 10',
    'a key id with line breaks': 'x\r\n{"event":"allowed"}',
    'a key id with a NUL': 'rsa-1\u0000',
    'a key id that turns the text, with a DEL': '\u202ersa-1\u007f',
    'a key id of 4,000 letters': 'k'.repeat(4000),
    'the key id __proto__': '__proto__',
    'the key id constructor': 'constructor',
    'the key id undefined': 'undefined',
    'the index of the key in place of its id': '0',
    'a key id that is a number': 0,
    'a key id that is null': null,
    'a key id that is true': true,
    'a key id that is a list': ['ec-1'],
    'a key id that is an object': { kid: 'ec-1' },
  }),
  ...changed('unknown-key', {
    'the key id in upper case': ({ key }) => ({ header: { kid: key.kid.toUpperCase() } }),
    'the key id and a space': ({ key }) => ({ header: { kid: `${key.kid} ` } }),
    'the key id in a list': ({ key }) => ({ header: { kid: [key.kid] } }),
    'a key that the issuer does not publish': { key: attackerRsa },
  }),
  ...changed('unusable-key', {
    'an RSA key of 1,024 bits': { key: weak },
    'an RSA key with the exponent 1, and a forged signature': { key: forgeable },
    'an RSA key whose prime factors are published': { key: leakedRsa },
    'an EC key whose private half is published': { key: leakedEc },
    'an Ed25519 key whose private half is published': { key: leakedEd },
    'RS256 for an EC key': { header: { kid: ec.kid } },
    'RS256 for an Ed25519 key': { header: { kid: ed.kid } },
    'RS256 for a symmetric key': { header: { kid: secret.kid } },
    'ES256 for an RSA key': { header: { alg: 'ES256' } },
    'EdDSA for an RSA key': { header: { alg: 'EdDSA' } },
    'ES256 for an Ed25519 key': { key: ed, header: { alg: 'ES256' } },
    'EdDSA for an EC key': { key: ec, header: { alg: 'EdDSA' } },
  }),
  ...changed('signature', {
    'a key that the issuer does not publish, without a key id': {
      key: attackerRsa,
      header: { kid: undefined },
    },
    'an RSA key with the exponent 1, and a forged signature, without a key id': {
      key: forgeable,
      header: { kid: undefined },
    },
  }),
];

export const tokensWithoutKeyId: readonly Entry[] = changed('allowed', {
  'no key id with one matching key': { key: ec, header: { kid: undefined } },
  'no key id with two matching keys': { header: { kid: undefined } },
});

/** Header parameters that contain keys or point to keys. */
const pointers = {
  jku: 'https://evil.example.com/keys.json',
  x5u: 'https://evil.example.com/chain.pem',
  jwk: attackerRsa.jwk,
  x5c: ['MIIBszCCAVmgAwIBAgIUe'],
  x5t: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'x5t#S256': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
};

export const keyPointers: readonly Entry[] = [
  ...sent([
    ...changed('allowed', { 'all pointers to other keys in a valid token': { header: pointers } }),
    ...changed('signature', {
      'all pointers to the attacker’s key, with the key id of the issuer': ({ key }) => ({
        key: attackerRsa,
        header: { ...pointers, kid: key.kid },
      }),
    }),
  ]),
  ...Object.entries(pointers).flatMap(([name, value]) => [
    ...headed('allowed', name, { [`${name} in a valid token`]: value }),
    ...changed('signature', {
      [`${name} for the attacker’s key, with the key id of the issuer`]: ({ key }) => ({
        key: attackerRsa,
        header: { kid: key.kid, [name]: value },
      }),
    }),
    ...changed('unknown-key', {
      [`${name} for the attacker’s key, with its own key id`]: {
        key: attackerRsa,
        header: { [name]: value },
      },
    }),
  ]),
  ...changed('signature', {
    'jwk for the attacker’s key, without a key id': {
      key: attackerRsa,
      header: { kid: undefined, jwk: attackerRsa.jwk },
    },
  }),
];
