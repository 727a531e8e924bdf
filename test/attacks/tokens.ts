// Tokens that are malformed or altered, or that bring their own algorithm or key.
import { createPublicKey } from 'node:crypto';
import type { Issuer } from '../support/issuer.ts';
import { secretKey } from '../support/signing-keys.ts';
import { encodePart, partsOf, signParts } from '../support/tokens.ts';
import type { AuthorizationCase } from './authorization-case.ts';
import { attackersKey, issuersEcKey, issuersEdKey, issuersWeakKey } from './keys.ts';

/** The issuer's public key as PEM text. */
const pemOf = ({ key }: Issuer): string =>
  createPublicKey({ key: { ...key.jwk }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

/** Header parameters that contain the attacker's key or point to it. */
const pointers = {
  jku: 'https://evil.example.com/keys.json',
  x5u: 'https://evil.example.com/chain.pem',
  jwk: attackersKey.jwk,
  x5c: ['MIIBszCCAVmgAwIBAgIUe'],
};

/** Tokens that the contract also sends through each gateway. */
export const gatewayTokenCases: readonly AuthorizationCase[] = [
  // Tokens that are malformed or altered.
  {
    title: 'denies a word in place of a token',
    authorization: () => 'Bearer x',
    decision: 'not-a-signed-token',
  },
  {
    title: 'denies a token of two parts',
    authorization: ({ token }) => `Bearer ${partsOf(token()).slice(0, 2).join('.')}`,
    decision: 'not-a-signed-token',
  },
  {
    title: 'denies a signed list of claims',
    authorization: ({ key, token }) =>
      `Bearer ${signParts(key, partsOf(token())[0], encodePart([{ sub: 'somebody' }]))}`,
    decision: 'not-a-signed-token',
  },
  {
    title: 'denies a token with an empty signature',
    authorization: ({ token }) => {
      const [header, payload] = partsOf(token());
      return `Bearer ${header}.${payload}.`;
    },
    decision: 'signature',
  },
  {
    title: 'denies the claims of one token with the signature of another',
    authorization: ({ token }) => {
      const [header, , signature] = partsOf(token());
      const [, otherPayload] = partsOf(token({ claims: { sub: 'somebody else' } }));
      return `Bearer ${header}.${otherPayload}.${signature}`;
    },
    decision: 'signature',
  },
  // No extension is supported, so no extension may be critical (RFC 7515 section 4.1.11).
  { title: 'denies a critical extension', header: { crit: ['exp'] }, decision: 'not-a-signed-token' },

  // Tokens with an algorithm of the attacker.
  {
    title: 'denies the algorithm none with a made-up signature',
    authorization: ({ token }) =>
      `Bearer ${encodePart({ alg: 'none', typ: 'at+jwt' })}.${partsOf(token())[1]}.AA`,
    decision: 'algorithm',
  },
  {
    title: 'denies a MAC whose secret is the issuer’s public key',
    authorization: (issuer) => `Bearer ${issuer.token({ key: secretKey(issuer.key.kid, pemOf(issuer)) })}`,
    decision: 'algorithm',
  },
  { title: 'denies a signed token without alg', header: { alg: undefined }, decision: 'algorithm' },
  { title: 'denies a signed token with the alg none', header: { alg: 'none' }, decision: 'algorithm' },
  { title: 'denies a signed token with the alg NONE', header: { alg: 'NONE' }, decision: 'algorithm' },
  { title: 'denies an RS256 signature with the alg PS256', header: { alg: 'PS256' }, decision: 'algorithm' },

  // Tokens with a key of the attacker.
  {
    title: 'denies a kid that the issuer does not publish',
    header: { kid: 'nobody’s' },
    decision: 'unknown-key',
  },
  { title: 'denies an empty kid', header: { kid: '' }, decision: 'unknown-key' },
  {
    title: 'denies the attacker’s key with the issuer’s kid and pointers to the attacker’s key',
    header: ({ key }) => ({ ...pointers, kid: key.kid }),
    key: attackersKey,
    decision: 'signature',
  },
  {
    title: 'denies the attacker’s key with its own kid and pointers to it',
    header: pointers,
    key: attackersKey,
    decision: 'unknown-key',
  },
  {
    title: 'allows the issuer’s key, and ignores pointers to the attacker’s key',
    header: pointers,
    decision: 'allowed',
  },
];

export const tokenCases: readonly AuthorizationCase[] = [
  {
    title: 'denies two algorithms in one text as alg',
    header: { alg: 'RS256,ES256' },
    decision: 'algorithm',
  },
  { title: 'denies the alg RS512 with the key of RS256', header: { alg: 'RS512' }, decision: 'algorithm' },
  { title: 'denies __proto__ as alg', header: { alg: '__proto__' }, decision: 'algorithm' },
  { title: 'denies null as alg', header: { alg: null }, decision: 'algorithm' },
  { title: 'denies an array as alg', header: { alg: ['RS256'] }, decision: 'algorithm' },
  {
    title: 'denies the alg RS256 with the kid of an EC key',
    header: { kid: issuersEcKey.kid },
    decision: 'unknown-key',
  },
  {
    title: 'denies an RSA key of 1,024 bits that the issuer publishes',
    key: issuersWeakKey,
    decision: 'unknown-key',
  },
  { title: 'allows a token with ES256', key: issuersEcKey, decision: 'allowed' },
  { title: 'allows a token with EdDSA', key: issuersEdKey, decision: 'allowed' },
  {
    title: 'denies the attacker’s key without a kid',
    header: { ...pointers, kid: undefined },
    key: attackersKey,
    decision: 'unknown-key',
  },
  { title: 'allows the issuer’s key without a kid', header: { kid: undefined }, decision: 'allowed' },
  {
    title: 'denies a path as kid',
    header: { kid: '../../../../dev/null' },
    decision: 'unknown-key',
  },
  {
    title: 'denies the issuer’s kid with a space after it',
    header: ({ key }) => ({ kid: `${key.kid} ` }),
    decision: 'unknown-key',
  },
  {
    title: 'denies the issuer’s kid in an array',
    header: ({ key }) => ({ kid: [key.kid] }),
    decision: 'unknown-key',
  },
  { title: 'denies null as kid', header: { kid: null }, decision: 'unknown-key' },
];
