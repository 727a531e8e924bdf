// Tokens valid except for one claim or header parameter. A row has the decision on them, the member's
// name, and values of it: `undefined` leaves it out, and `$iss` and `$aud` are the valid issuer and audience.
// The unit tests of authorize.ts test times to the second.
import { encodeText, partsOf, signParts, textOf } from '../support/tokens.ts';
import { changed, type Entry, now, type Row, rows, sent, tokens } from './attack.ts';

/** In 2096, because the clock of the suite `soak` skips hours. */
const farAhead = 4e9;
const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `group-${String(index)}`);

const sentClaims: readonly Row[] = [
  ['issuer', 'iss', undefined, 'https://issuer.example.org'],
  ['audience', 'aud', undefined, 'another-api'],
  ['allowed', 'aud', ['another-api', '$aud']],
  ['lifetime', 'exp', undefined, String(farAhead), now() - 1],
  ['lifetime', 'nbf', farAhead],
  ['lifetime', 'iat', farAhead],
  // A token bound to a key (RFC 9449).
  ['key-bound', 'cnf', { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' }],
  ['subject', 'sub', undefined, '', 7, 'é'.repeat(128), '\ud800'],
  ['allowed', 'sub', `${'é'.repeat(127)}x`],
  ['groups', 'groups', 'gardeners', null, ['gardeners', 7], [''], ['x'.repeat(256)], groups(101)],
  ['allowed', 'groups', undefined, groups(100)],
  ['groups', '_claim_names', { groups: 'src1' }],
  ['groups', 'hasgroups', true],
];

const claimRows: readonly Row[] = [
  ['issuer', 'iss', '$iss/'],
  ['audience', 'aud', '$aud,other'],
  ['allowed', 'exp', farAhead + 0.5],
  ['allowed', 'iat', undefined],
  ['key-bound', 'cnf', null],
  // The subject is only part of a partition key, so neither a NUL nor a separator selects another partition.
  ['allowed', 'sub', 'group#gardeners', 'somebody\0', '__proto__'],
  ['groups', 'groups', { 0: 'gardeners', length: 1 }, ['gardeners', null], ['水'.repeat(86)], ['\ud800']],
  ['allowed', 'groups', [], ['x'.repeat(255)], ['user#somebody']],
  // Entra omits the groups of a user who is in many, and marks that in one of these ways.
  ['groups', '_claim_names', { groups: null }, null, 'groups'],
  ['groups', 'hasgroups', 'true', null],
  ['groups', 'groups:src1', { endpoint: 'https://graph.example.com' }],
  ['allowed', '_claim_names', {}, { address: 'src1' }],
  ['allowed', 'hasgroups', false],
  // Of ID tokens, which the type in the header excludes.
  ['allowed', 'at_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng'],
  // Ignored: it has the shape of the authorizer's own result.
  ['allowed', 'context', { subject: 'root', groups: ['admins'] }],
];

const otherEntries: readonly Entry[] = [
  ...changed('groups', {
    'some groups, and others elsewhere': {
      claims: { groups: ['gardeners'], _claim_names: { groups: 'src1' } },
    },
  }),
  ...tokens('lifetime', {
    'an infinite expiry': ({ key, token }) => {
      const [header, payload] = partsOf(token());
      return signParts(key, header, encodeText(textOf(payload).replace('}', ',"exp":1e999}')));
    },
  }),
];

export const claimEntries: readonly Entry[] = [
  ...sent([...rows('claims', sentClaims), ...rows('header', [['token-type', 'typ', undefined, 'JWT']])]),
  ...rows('claims', claimRows),
  ...otherEntries,
];
