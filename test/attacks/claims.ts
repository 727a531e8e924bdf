// Tokens valid except for one claim or header parameter. A row has the decision on them, the member's
// name, and values of it: `undefined` leaves it out, and `$iss` and `$aud` are the valid issuer and audience.
// The unit tests of claims.ts test times to the second.
import { changed, type Entry, now, type Row, rows, sent } from './entry.ts';

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

export const claimRows: readonly Row[] = [
  ...sentClaims,
  ['issuer', 'iss', '', null, true, {}, [], ['$iss']],
  ['issuer', 'iss', '$iss/', ' $iss', '$iss\0', '$iss.example.org', 'HTTPS://LOGIN.EXAMPLE.COM'],
  ['audience', 'aud', '', null, true, 0, [], [['$aud']], { $aud: true }, { 0: '$aud', length: 1 }],
  ['audience', 'aud', '$aud-admin', '$aud ', 'other $aud', '$aud,other', 'PLANT-STORE', 'plant-stor'],
  ['allowed', 'aud', ['$aud'], ['$aud', '$aud'], [null, 1, {}, '$aud']],
  ['lifetime', 'exp', null, true, '', '2999-12-31T23:59:59Z', { exp: 4e9 }, [4e9], 0, -1, 1_000_000_000.5],
  ['allowed', 'exp', farAhead + 0.5, 1e300],
  ['lifetime', 'nbf', null, false, '0', [0], 1e300],
  ['allowed', 'nbf', now() - 1, -1],
  ['lifetime', 'iat', null, '0', {}, 1e300, Date.now()],
  ['allowed', 'iat', undefined, -1e300],
  ['key-bound', 'cnf', { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' }, null, {}],
  ['subject', 'sub', null, true, ['alice'], { id: 'alice' }],
  ['subject', 'sub', 'x'.repeat(256), '水'.repeat(86), '🌱'.repeat(64), 'alice\ud83c', '\udf31\ud83c'],
  // The subject is only part of a partition key, so neither a NUL nor a separator selects another partition.
  ['allowed', 'sub', 'a', 'x'.repeat(255), 'group#gardeners', 'somebody\0', '\u0001\n\r\t\u007f'],
  ['allowed', 'sub', '  ', 'e\u0301 \u00e9', '__proto__', '\u202esomebody'],
  ['groups', 'groups', '', 'gardeners,buyers', 5, false, { gardeners: true }, { 0: 'gardeners', length: 1 }],
  ['groups', 'groups', ['gardeners', null], [['gardeners']], [true], [{ name: 'gardeners' }]],
  ['groups', 'groups', ['水'.repeat(86)], ['\ud800'], [...groups(99), ''], Array(101).fill('gardeners')],
  [
    'allowed',
    'groups',
    [],
    ['gardeners', 'gardeners'],
    ['x'.repeat(255)],
    ['user#somebody'],
    ['/a/gardeners'],
  ],
  // Entra omits the groups of a user who is in many, and marks that in one of these ways.
  ['groups', '_claim_names', { address: 'src1', groups: 'src2' }, { groups: null }],
  ['groups', '_claim_names', null, 'groups', ['groups'], '{"groups":"src1"}'],
  ['groups', 'hasgroups', 'true', 1, null],
  ['groups', 'groups:src1', { endpoint: 'https://graph.example.com' }],
  ['allowed', '_claim_names', {}, { address: 'src1' }, { Groups: 'src1' }],
  ['allowed', 'hasgroups', false],
  // Ignored: the first has the shape of the authorizer's own result, the last is nested 500 levels deep.
  ['allowed', 'context', { subject: 'root', groups: ['admins'] }],
  ['allowed', 'urn:example:x', [1, { y: null }], JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
];

const sentHeaders: readonly Row[] = [
  ['token-type', 'typ', undefined, 'JWT'],
  ['allowed', 'typ', 'application/AT+JWT'],
];

export const headerRows: readonly Row[] = [
  ...sentHeaders,
  ['allowed', 'typ', 'AT+JWT', 'application/at+jwt', 'APPLICATION/AT+JWT'],
  ['token-type', 'typ', '', null, true, ['at+jwt'], { typ: 'at+jwt' }],
  ['token-type', 'typ', 'logout+jwt', 'dpop+jwt', 'token-introspection+jwt', 'at+jwt; charset=utf-8'],
  ['token-type', 'typ', 'at+jwt ', ' at+jwt', 'at', 'x-at+jwt', 'JWT, at+jwt', 'text/at+jwt', 'at%2Bjwt'],
  ['token-type', 'typ', 'application/application/at+jwt', 'at+application/jwt'],
  // Ignored: zip is for encrypted tokens, and b64 has an effect only with crit.
  ['allowed', 'zip', 'DEF'],
  ['allowed', 'b64', false],
  ['allowed', 'urn:example:x', [1, { y: null }]],
];

/** Values in the wrong place, or missing in part. */
const misplaced: readonly Entry[] = [
  ...changed('groups', {
    'some groups, and others elsewhere': {
      claims: { groups: ['gardeners'], _claim_names: { groups: 'src1' } },
    },
    'some groups, and more': { claims: { groups: ['gardeners'], hasgroups: true } },
  }),
  ...changed('audience', {
    'the audience as the client': { claims: { aud: 'another-api', client_id: '$aud', azp: '$aud' } },
  }),
  ...changed('token-type', {
    'the type in the claims': { header: { typ: undefined }, claims: { typ: 'at+jwt' } },
  }),
  ...changed('subject', {
    'the subject in another claim': { claims: { sub: undefined, user_id: 'alice', username: 'alice' } },
  }),
];

export const claimEntries: readonly Entry[] = [
  ...sent([...rows('claims', sentClaims), ...rows('header', sentHeaders)]),
  ...rows('claims', claimRows.slice(sentClaims.length)),
  ...rows('header', headerRows.slice(sentHeaders.length)),
  ...misplaced,
];
