import {
  badAlgorithms,
  badKeys,
  criticalHeaders,
  keyPointers,
  keysThatFitWithoutAnId,
} from './algorithms-and-keys.ts';
import {
  badCallers,
  badIssuersAudiencesAndTimes,
  badTypes,
  goodAudiencesAndTimes,
  goodCallers,
  goodTypes,
  unknownMembers,
} from './claims.ts';
import { badCredentials, goodCredentials, missingHeaders } from './credentials.ts';
import { changed, type Entry, headers, now, tokens, whileKeySetIs } from './entry.ts';
import { ec, stranger } from './keys.ts';
import { badSignatures, goodSignatures } from './signatures.ts';
import { otherTextsOfATokenAsGood, textsThatAreNoToken, textsThatSayAnotherThing } from './token-texts.ts';

const lasting = () => ({ claims: { exp: now() + 7200 } });
const unknownKey = { header: { kid: 'made-up' } };

/** Authorization headers, by the rows of the README's table "Authentication". */
export const corpus: Readonly<Record<string, readonly Entry[]>> = {
  'no Authorization header, or an empty one': missingHeaders,
  'anything but Bearer and one token, in a header of at most 8,192 bytes': badCredentials,
  'not a JWS in canonical form, with an allowed algorithm and a usable key': [
    ...textsThatAreNoToken,
    ...textsThatSayAnotherThing,
    ...badAlgorithms,
    ...criticalHeaders,
    ...badKeys,
  ],
  'keys that the token itself names': keyPointers,
  'a bad signature, or another issuer, audience or time': [...badSignatures, ...badIssuersAudiencesAndTimes],
  'another type': badTypes,
  'no proper subject or groups': badCallers,
  'the key set is out of reach, and no copy younger than an hour is held': [
    ...whileKeySetIs('out of reach', [
      ...changed('undecided', {
        'a good token': {},
        'an unknown key id': unknownKey,
        'a stranger’s key': { key: stranger },
      }),
      // Wrong whatever the keys are.
      ...headers('not-a-bearer-token', { 'another scheme': ({ token }) => `Basic ${token()}` }),
      ...tokens('not-a-signed-token', { 'a word': () => 'x' }),
      ...changed('algorithm', { 'the algorithm none': { header: { alg: 'none' } } }),
      ...changed('critical-header', { 'a critical header': { header: { crit: ['exp'] } } }),
    ]),
    ...whileKeySetIs(
      'copy of an hour',
      changed('undecided', { 'a good token': lasting, 'an unknown key id': unknownKey }),
    ),
  ],
  'the key set is out of reach, and a younger copy is held': whileKeySetIs('copy of 59 minutes', [
    ...changed('allowed', { 'a good token': lasting, 'a good token with ES256': { key: ec } }),
    ...changed('signature', {
      'a stranger’s signature': ({ key }) => ({ key: stranger, header: { kid: key.kid } }),
    }),
    ...changed('unknown-key', { 'an unknown key id': unknownKey }),
    ...changed('audience', { 'another audience': { claims: { aud: 'another-api' } } }),
  ]),
  'all good': [
    ...goodCredentials,
    ...goodSignatures,
    ...keysThatFitWithoutAnId,
    ...otherTextsOfATokenAsGood,
    ...goodAudiencesAndTimes,
    ...goodTypes,
    ...goodCallers,
    ...unknownMembers,
  ],
};
