// Tokens that are malformed or altered, or that bring their own algorithm or key.
import { createPublicKey } from 'node:crypto';
import type { Issuer } from '../support/issuer.ts';
import { encodePart, partsOf, secretKey, signParts } from '../support/tokens.ts';
import { changed, type Entry, rows, sent, tokens } from './attack.ts';
import { attackerRsa, ec, ed, weak } from './keys.ts';

/** A valid token with its parts changed after signing. */
const altered =
  (alter: (header: string, payload: string, signature: string) => string) =>
  ({ token }: Issuer): string =>
    alter(...partsOf(token()));

const malformed: readonly Entry[] = [
  ...sent([
    ...tokens('not-a-signed-token', {
      'a word': () => 'x',
      'two parts': altered((header, payload) => `${header}.${payload}`),
      'claims that are a list, signed': ({ key, token }) =>
        signParts(key, partsOf(token())[0], encodePart([{ sub: 'somebody' }])),
    }),
    ...tokens('signature', {
      'no signature': altered((header, payload) => `${header}.${payload}.`),
      'the claims of another token': ({ token }) => {
        const [header, , signature] = partsOf(token());
        return `${header}.${partsOf(token({ claims: { sub: 'somebody else' } }))[1]}.${signature}`;
      },
    }),
    // No extension is supported, so none may be critical (RFC 7515 section 4.1.11).
    ...rows('header', [['not-a-signed-token', 'crit', ['exp']]]),
  ]),
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
    }),
    // Signed by the issuer with RS256, whatever `alg` says.
    ...rows('header', [['algorithm', 'alg', undefined, 'none', 'NONE', 'PS256']]),
  ]),
  ...rows('header', [['algorithm', 'alg', 'RS256,ES256', 'RS512', '__proto__', null, ['RS256']]]),
  ...changed('unknown-key', {
    'RS256 for an EC key': { header: { kid: ec.kid } },
    'an RSA key of 1,024 bits': { key: weak },
  }),
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
    ...changed('signature', {
      'pointers to an attacker’s key': { key: attackerRsa, header: { ...pointers, kid: '$kid' } },
    }),
    ...changed('unknown-key', {
      'pointers to an attacker’s key id': { key: attackerRsa, header: pointers },
    }),
    ...changed('allowed', { 'pointers to keys in a valid token': { header: pointers } }),
  ]),
  ...changed('unknown-key', {
    'an attacker’s key without an id': { key: attackerRsa, header: { ...pointers, kid: undefined } },
  }),
  ...changed('allowed', { 'no key id': { header: { kid: undefined } } }),
  ...rows('header', [['unknown-key', 'kid', '../../../../dev/null', '$kid ', ['$kid'], null]]),
];

export const tokenEntries: readonly Entry[] = [...malformed, ...otherAlgorithms, ...otherKeys];
