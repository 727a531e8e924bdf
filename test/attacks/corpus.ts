import { algorithmAndKeyEntries } from './algorithms-and-keys.ts';
import { claimEntries } from './claims.ts';
import { credentialEntries } from './credentials.ts';
import { changed, type Entry, headers, tokens, whileJwksIs } from './entry.ts';
import { attackerRsa } from './keys.ts';
import { signatureEntries } from './signatures.ts';
import { textEntries } from './token-texts.ts';

// The unit tests of jwks.ts test an issuer that becomes unreachable after a fetch.
const whileUnreachable = whileJwksIs('unreachable', [
  ...changed('undecided', { 'a valid token': {}, 'an attacker’s key': { key: attackerRsa } }),
  // Denied before the keys are needed.
  ...headers('not-a-bearer-token', { 'another scheme': ({ token }) => `Basic ${token()}` }),
  ...tokens('not-a-signed-token', { 'a word': () => 'x' }),
  ...changed('algorithm', { 'the algorithm none': { header: { alg: 'none' } } }),
  ...changed('critical-header', { 'a critical header': { header: { crit: ['exp'] } } }),
]);

/** Authorization headers with the expected decisions, in a stage with the profile rfc9068. */
export const corpus: readonly Entry[] = [
  ...credentialEntries,
  ...textEntries,
  ...algorithmAndKeyEntries,
  ...signatureEntries,
  ...claimEntries,
  ...whileUnreachable,
];
