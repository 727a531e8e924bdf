// Tokens that are malformed or altered, or that bring their own algorithm or key.
import { createPublicKey } from 'node:crypto';
import type { Issuer } from '../support/issuer.ts';
import { encodePart, partsOf, secretKey, signParts } from '../support/tokens.ts';
import { changed, type Entry, rows, sent, tokens } from './entry.ts';
import { attackerRsa, ec, ed, weak } from './keys.ts';

/** A valid token with its parts changed after signing. */
const altered =
  (alter: (header: string, payload: string, signature: string) => string) =>
  ({ token }: Issuer): string =>
    alter(...partsOf(token()));

/** A token that the issuer signed with this header or payload. */
const signed =
  (parts: { readonly header?: string; readonly payload?: string }) =>
  ({ key, token }: Issuer): string => {
    const [header, payload] = partsOf(token());
    return signParts(key, parts.header ?? header, parts.payload ?? payload);
  };

const malformed: readonly Entry[] = [
  ...sent(
    tokens('not-a-signed-token', {
      'a word': () => 'x',
      'three words': () => 'x.y.z',
      'two parts': altered((header, payload) => `${header}.${payload}`),
      'no header': altered((_, payload, signature) => `.${payload}.${signature}`),
      'four parts': altered((...parts) => `${parts.join('.')}.${parts[2]}`),
      'a header that is a list': signed({ header: encodePart([{ alg: 'RS256' }]) }),
      'claims that are a list, signed': signed({ payload: encodePart([{ sub: 'somebody' }]) }),
    }),
  ),
  ...sent(
    tokens('signature', {
      'no signature': altered((header, payload) => `${header}.${payload}.`),
      'a signature of zeros': altered((header, payload) => `${header}.${payload}.${'A'.repeat(342)}`),
      'the claims of another token': ({ token }) => {
        const [header, , signature] = partsOf(token());
        return `${header}.${partsOf(token({ claims: { sub: 'somebody else' } }))[1]}.${signature}`;
      },
    }),
  ),
  // No extension is supported, so none may be critical (RFC 7515 section 4.1.11).
  ...sent(rows('header', [['not-a-signed-token', 'crit', ['exp'], []]])),
  ...changed('not-a-signed-token', {
    'an unencoded payload (RFC 7797)': { header: { crit: ['b64'], b64: false } },
  }),
];

const pemOf = ({ key }: Issuer): string =>
  createPublicKey({ key: { ...key.jwk }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

const otherAlgorithms: readonly Entry[] = [
  ...sent([
    ...tokens('algorithm', {
      'the algorithm none and a made-up signature': ({ token }) =>
        `${encodePart({ alg: 'none', typ: 'at+jwt' })}.${partsOf(token())[1]}.AA`,
      'a MAC whose secret is the issuer’s public key': (issuer) =>
        issuer.token({ key: secretKey(issuer.key.kid, pemOf(issuer)) }),
      'an encrypted token, of five parts': () =>
        `${encodePart({ alg: 'RSA-OAEP', enc: 'A256GCM' })}.AAAA.AAAA.AAAA.AAAA`,
    }),
    ...rows('header', [['algorithm', 'alg', undefined, 'none', 'NONE', 'PS256']]),
  ]),
  // Signed by the issuer with RS256, whatever `alg` says.
  ...rows('header', [
    ['algorithm', 'alg', ...'nOnE| none|HS256|rs256|RS256 |RS256\0|RS256,ES256|RS384|RS512'.split('|')],
    ['algorithm', 'alg', 'ES384', 'Ed25519', '__proto__', 'toString', '', null, 256, ['RS256'], {}],
  ]),
  ...changed('unknown-key', {
    'RS256 for an EC key': { header: { kid: ec.kid } },
    'ES256 for an RSA key': { header: { alg: 'ES256' } },
    'an RSA key of 1,024 bits': { key: weak },
  }),
  ...changed('signature', { 'an RSA signature under ES256': { header: { alg: 'ES256', kid: ec.kid } } }),
  ...changed('allowed', {
    'a valid token with ES256': { key: ec },
    'a valid token with EdDSA': { key: ed },
  }),
];

/** Header parameters that contain keys or point to keys. */
const pointers = {
  jku: 'https://evil.example.com/keys.json',
  x5u: 'https://evil.example.com/chain.pem',
  jwk: attackerRsa.jwk,
  x5c: ['MIIBszCCAVmgAwIBAgIUe'],
};

/** An attacker's tokens with the issuer's key id, its own, or none. */
const otherKeys: readonly Entry[] = [
  ...sent([
    ...rows('header', [['unknown-key', 'kid', 'nobody’s', '']]),
    ...changed('signature', { 'an attacker’s key': { key: attackerRsa, header: { kid: '$kid' } } }),
    ...changed('signature', {
      'pointers to an attacker’s key': { key: attackerRsa, header: { ...pointers, kid: '$kid' } },
    }),
    ...changed('unknown-key', {
      'an attacker’s key id': { key: attackerRsa },
      'pointers to an attacker’s key id': { key: attackerRsa, header: pointers },
    }),
    ...changed('allowed', { 'pointers to keys in a valid token': { header: pointers } }),
  ]),
  ...changed('unknown-key', {
    'an attacker’s key without an id': { key: attackerRsa, header: { ...pointers, kid: undefined } },
  }),
  ...changed('allowed', { 'no key id': { header: { kid: undefined } } }),
  ...rows('header', [
    ['unknown-key', 'kid', '../../../../dev/null', '$kid ', ['$kid'], { kid: '$kid' }, 'RSA-1', null, 0],
  ]),
];

export const tokenEntries: readonly Entry[] = [...malformed, ...otherAlgorithms, ...otherKeys];
