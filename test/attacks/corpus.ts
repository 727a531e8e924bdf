import {
  badAlgorithms,
  badKeys,
  criticalHeaders,
  keyPointers,
  tokensWithoutKeyId,
} from './algorithms-and-keys.ts';
import {
  badCallers,
  badIssuersAudiencesAndTimes,
  badTypes,
  goodAudiencesAndTimes,
  goodCallers,
  goodTypes,
  keyBound,
  unknownMembers,
} from './claims.ts';
import { badCredentials, goodCredentials, missingHeaders } from './credentials.ts';
import { changed, type Entry, headers, now, tokens, whileJwksIs } from './entry.ts';
import { ec, attackerRsa } from './keys.ts';
import { badSignatures, goodSignatures } from './signatures.ts';
import { alternativeTexts, changedTexts, malformedTexts } from './token-texts.ts';

const lastingTwoHours = () => ({ claims: { exp: now() + 7200 } });
const unknownKey = { header: { kid: 'made-up' } };

/** Authorization headers by kind, with the expected decisions. */
export const corpus: Readonly<Record<string, readonly Entry[]>> = {
  'no Authorization header, or an empty one': missingHeaders,
  'anything but Bearer and one token, in a header of at most 8,192 bytes': badCredentials,
  'not a JWS in canonical form, with an allowed algorithm and a usable key': [
    ...malformedTexts,
    ...changedTexts,
    ...badAlgorithms,
    ...criticalHeaders,
    ...badKeys,
  ],
  'keys in the token’s own header': keyPointers,
  'a bad signature, or a wrong issuer, audience or time': [...badSignatures, ...badIssuersAudiencesAndTimes],
  'another token type': badTypes,
  'a token that is bound to a key': keyBound,
  'an invalid subject or groups': badCallers,
  'the JWKS is unreachable, without a copy younger than an hour': [
    ...whileJwksIs('unreachable', [
      ...changed('undecided', {
        'a valid token': {},
        'an unknown key id': unknownKey,
        'an attacker’s key': { key: attackerRsa },
      }),
      // Denied without the keys.
      ...headers('not-a-bearer-token', { 'another scheme': ({ token }) => `Basic ${token()}` }),
      ...tokens('not-a-signed-token', { 'a word': () => 'x' }),
      ...changed('algorithm', { 'the algorithm none': { header: { alg: 'none' } } }),
      ...changed('critical-header', { 'a critical header': { header: { crit: ['exp'] } } }),
    ]),
    ...whileJwksIs(
      'copy of an hour',
      changed('undecided', { 'a valid token': lastingTwoHours, 'an unknown key id': unknownKey }),
    ),
  ],
  'the JWKS is unreachable, with a copy younger than an hour': whileJwksIs('copy of 59 minutes', [
    ...changed('allowed', { 'a valid token': lastingTwoHours, 'a valid token with ES256': { key: ec } }),
    ...changed('signature', {
      'an attacker’s signature': ({ key }) => ({ key: attackerRsa, header: { kid: key.kid } }),
    }),
    ...changed('undecided', {
      'an unknown key id': unknownKey,
      'no key id and no key that fits': { key: attackerRsa, header: { kid: undefined } },
    }),
    ...changed('audience', { 'another audience': { claims: { aud: 'another-api' } } }),
  ]),
  'valid tokens': [
    ...goodCredentials,
    ...goodSignatures,
    ...tokensWithoutKeyId,
    ...alternativeTexts,
    ...goodAudiencesAndTimes,
    ...goodTypes,
    ...goodCallers,
    ...unknownMembers,
  ],
};
