import { createPublicKey } from 'node:crypto';
import type { Issuer } from '../support/issuer.ts';
import { encodePart, partsOf, secretKey } from '../support/tokens.ts';
import { changed, type Entry, rows, sent, tokens } from './entry.ts';
import { attackerRsa, ec, weak } from './keys.ts';

const pemOf = ({ key }: Issuer): string =>
  createPublicKey({ key: { ...key.jwk }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

const badAlgorithms: readonly Entry[] = [
  ...sent([
    ...tokens('algorithm', {
      'the algorithm none and a made-up signature': ({ token }) =>
        `${encodePart({ alg: 'none', typ: 'at+jwt' })}.${partsOf(token())[1]}.AA`,
      'a MAC whose secret is the issuer’s public key': (issuer) =>
        issuer.token({ key: secretKey(issuer.key.kid, pemOf(issuer)) }),
    }),
    ...rows('header', [['algorithm', 'alg', undefined, 'none', 'NONE', 'PS256']]),
  ]),
  // Signed by the issuer with RS256, whatever `alg` says.
  ...rows('header', [
    ['algorithm', 'alg', ...'nOnE| none|HS256|rs256|RS256 |RS256\0|RS256,ES256|RS384|RS512'.split('|')],
    ['algorithm', 'alg', ...'ES384 ES256K Ed25519 ML-DSA-44 RSA-OAEP dir __proto__ toString'.split(' ')],
    ['algorithm', 'alg', '', null, true, 256, ['RS256'], { name: 'RS256' }],
  ]),
];

const criticalHeaders: readonly Entry[] = [
  ...sent(
    changed('critical-header', {
      'a critical header with its value': { header: { crit: ['exp'], exp: 4e9 } },
    }),
  ),
  ...rows('header', [['critical-header', 'crit', ['alg', 'kid'], [], null, false, 'exp', { exp: 1 }]]),
  ...changed('critical-header', {
    'an unencoded payload with crit': { header: { crit: ['b64'], b64: false } },
  }),
];

const badKeys: readonly Entry[] = [
  ...sent(rows('header', [['unknown-key', 'kid', 'nobody’s', '']])),
  ...rows('header', [
    ['unknown-key', 'kid', '../../../../dev/null', 'https://evil.example.com/key', '|/bin/sleep 10'],
    ['unknown-key', 'kid', "x' UNION SELECT 'secret';--", 'x\r\n{"event":"allowed"}', 'k'.repeat(4000)],
    ['unknown-key', 'kid', '$kid ', '$kid\0', '\u202e$kid\u007f', ['$kid'], { kid: '$kid' }, 'RSA-1'],
    ['unknown-key', 'kid', '__proto__', 'constructor', 'undefined', '0', 0, null, true],
  ]),
  ...changed('unknown-key', {
    'a key that the issuer does not publish': { key: attackerRsa },
  }),
  ...changed('unusable-key', {
    'an RSA key of 1,024 bits': { key: weak },
    'RS256 for an EC key': { header: { kid: ec.kid } },
    'ES256 for an RSA key': { header: { alg: 'ES256' } },
    'EdDSA for an RSA key': { header: { alg: 'EdDSA' } },
  }),
];

const tokensWithoutKeyId: readonly Entry[] = [
  ...changed('signature', {
    'no key id, and a key that the issuer does not publish': { key: attackerRsa, header: { kid: undefined } },
  }),
  ...changed('allowed', {
    'no key id with one matching key': { key: ec, header: { kid: undefined } },
    'no key id with two matching keys': { header: { kid: undefined } },
  }),
];

/** Header parameters that contain keys or point to keys. */
const pointers = {
  jku: 'https://evil.example.com/keys.json',
  x5u: 'https://evil.example.com/chain.pem',
  jwk: attackerRsa.jwk,
  x5c: ['MIIBszCCAVmgAwIBAgIUe'],
  x5t: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'x5t#S256': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
};

/** These pointers in a valid token, and in an attacker's with the issuer's key id, its own, or none. */
const tokensWithPointers: readonly Entry[] = [
  ...changed('allowed', { 'pointers to keys in a valid token': { header: pointers } }),
  ...changed('signature', {
    'pointers to the attacker’s key, with the key id of the issuer': {
      key: attackerRsa,
      header: { ...pointers, kid: '$kid' },
    },
    'pointers to the attacker’s key, without a key id': {
      key: attackerRsa,
      header: { ...pointers, kid: undefined },
    },
  }),
  ...changed('unknown-key', {
    'pointers to the attacker’s key, with its own key id': { key: attackerRsa, header: pointers },
  }),
];

export const algorithmAndKeyEntries: readonly Entry[] = [
  ...badAlgorithms,
  ...criticalHeaders,
  ...badKeys,
  ...tokensWithoutKeyId,
  ...sent(tokensWithPointers),
];
