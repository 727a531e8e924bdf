import { algorithmAndKeyEntries } from './algorithms-and-keys.ts';
import { claimEntries } from './claims.ts';
import { credentialEntries } from './credentials.ts';
import { changed, type Entry, headers, now, tokens, whileJwksIs } from './entry.ts';
import { attackerRsa, ec } from './keys.ts';
import { signatureEntries } from './signatures.ts';
import { textEntries } from './token-texts.ts';

const lastingTwoHours = { claims: { exp: now() + 7200 } };
const unknownKey = { header: { kid: 'made-up' } };

const whileUnreachable: readonly Entry[] = [
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
  ...whileJwksIs('copy of 59 minutes', [
    ...changed('allowed', {
      'a valid token': lastingTwoHours,
      'a valid token with ES256': { key: ec, ...lastingTwoHours },
    }),
    ...changed('signature', {
      'an attacker’s signature': { key: attackerRsa, header: { kid: '$kid' } },
    }),
    ...changed('undecided', {
      'an unknown key id': unknownKey,
      'no key id and no key that fits': { key: attackerRsa, header: { kid: undefined } },
    }),
    ...changed('audience', { 'another audience': { claims: { aud: 'another-api' } } }),
  ]),
];

/** Authorization headers with the expected decisions, in a stage with the profile rfc9068. */
export const corpus: readonly Entry[] = [
  ...credentialEntries,
  ...textEntries,
  ...algorithmAndKeyEntries,
  ...signatureEntries,
  ...claimEntries,
  ...whileUnreachable,
];
