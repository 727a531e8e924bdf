// Each row has an expected decision, a claim or header parameter, and values for it in a token that is
// otherwise valid. In values, `$iss` and `$aud` are the valid ones. The unit tests of claims.ts test times to
// the second.
import { clockToleranceSeconds } from '../../functions/authorizer/claims.ts';
import { changed, claimed, type Entry, headed, now, sent } from './entry.ts';

const hour = 3600;
const afterTolerance = (): number => now() + clockToleranceSeconds + 60;
const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `group-${String(index)}`);

const issuersAndAudiences: readonly Entry[] = [
  ...sent([
    ...claimed('issuer', 'iss', undefined, 'https://issuer.example.org'),
    ...claimed('audience', 'aud', undefined, 'another-api'),
    ...claimed('allowed', 'aud', ['another-api', '$aud']),
  ]),
  ...claimed('issuer', 'iss', '', null, true, {}, []),
  ...claimed('issuer', 'iss', ['$iss'], '$iss/', ' $iss', '$iss\0', '$iss.example.org'),
  ...changed('issuer', {
    'the issuer in upper case': ({ name }) => ({ claims: { iss: name.toUpperCase() } }),
    'the issuer without its last letter': ({ name }) => ({ claims: { iss: name.slice(0, -1) } }),
    'the issuer with a user name': ({ name }) => ({ claims: { iss: name.replace('://', '://issuer@') } }),
    'the issuer in the header': { header: { iss: '$iss' }, claims: { iss: undefined } },
  }),
  ...claimed('audience', 'aud', '', null, true, 0, [], [['$aud']], { $aud: true }, { 0: '$aud', length: 1 }),
  ...claimed('audience', 'aud', '*', '$aud-admin', '$aud ', 'other $aud', '$aud,other'),
  ...changed('audience', {
    'the audience in upper case': ({ audience }) => ({ claims: { aud: audience.toUpperCase() } }),
    'the start of the audience': ({ audience }) => ({ claims: { aud: audience.slice(0, -1) } }),
    'the audience in the header': { header: { aud: '$aud' }, claims: { aud: undefined } },
    'the audience as the client': { claims: { aud: 'another-api', client_id: '$aud', azp: '$aud' } },
  }),
  ...claimed('allowed', 'aud', ['$aud'], ['$aud', '$aud'], [null, 1, {}, '$aud']),
];

const times: readonly Entry[] = [
  ...sent([
    ...claimed('lifetime', 'exp', undefined),
    ...changed('lifetime', {
      'an expiry that is a string': () => ({ claims: { exp: String(now() + hour) } }),
      'an expiry a second ago': () => ({ claims: { exp: now() - 1 } }),
      'a start after the tolerance': () => ({ claims: { nbf: afterTolerance() } }),
      'an issue time after the tolerance': () => ({ claims: { iat: afterTolerance() } }),
    }),
    ...changed('allowed', {
      'a start and an issue time within the tolerance': () => {
        const soon = now() + clockToleranceSeconds - 5;
        return { claims: { nbf: soon, iat: soon } };
      },
    }),
  ]),
  ...claimed('lifetime', 'exp', null, true, '', '2999-12-31T23:59:59Z', { exp: 4e9 }, [4e9]),
  ...claimed('lifetime', 'exp', 0, -1, 1_000_000_000.5),
  ...claimed('lifetime', 'nbf', null, false, '0', [0], 1e300),
  ...claimed('lifetime', 'iat', null, '0', {}, 1e300),
  ...changed('lifetime', {
    'an issue time in milliseconds': () => ({ claims: { iat: Date.now() } }),
    'a start in an hour, with a later issue time': () => ({
      claims: { nbf: now() + hour, iat: now() + 2 * hour, exp: now() + 3 * hour },
    }),
    'an expiry in the header': () => ({ header: { exp: now() + hour }, claims: { exp: undefined } }),
  }),
  ...claimed('allowed', 'exp', 1e300),
  ...changed('allowed', {
    'an expiry between two seconds': () => ({ claims: { exp: now() + 60.5 } }),
    'no start and no issue time': { claims: { nbf: undefined, iat: undefined } },
    'a start and an issue time before 1970': { claims: { nbf: -1, iat: -1e300 } },
    'a start a second ago and an expiry in a minute': () => ({ claims: { nbf: now() - 1, exp: now() + 60 } }),
  }),
];

const types: readonly Entry[] = [
  ...sent([
    ...headed('token-type', 'typ', undefined, 'JWT'),
    ...headed('allowed', 'typ', 'application/AT+JWT'),
  ]),
  ...headed('allowed', 'typ', 'AT+JWT', 'application/at+jwt', 'APPLICATION/AT+JWT'),
  ...headed('token-type', 'typ', '', null, true, ['at+jwt'], { typ: 'at+jwt' }),
  ...headed('token-type', 'typ', 'logout+jwt', 'dpop+jwt', 'token-introspection+jwt'),
  ...headed(
    'token-type',
    'typ',
    'at+jwt; charset=utf-8',
    'at+jwt ',
    ' at+jwt',
    'at',
    'x-at+jwt',
    'JWT, at+jwt',
  ),
  ...headed('token-type', 'typ', 'text/at+jwt', 'application/application/at+jwt', 'at+application/jwt'),
  // The first letter is Cyrillic.
  ...headed('token-type', 'typ', 'аt+jwt', 'at%2Bjwt'),
  ...changed('token-type', {
    'the type in the claims': { header: { typ: undefined }, claims: { typ: 'at+jwt' } },
    'the type in another member': { header: { typ: undefined, cty: 'at+jwt' } },
  }),
];

/** Tokens bound to a key (RFC 7800, RFC 8705, RFC 9449). */
const keyBound: readonly Entry[] = [
  ...sent(claimed('key-bound', 'cnf', { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' })),
  ...claimed('key-bound', 'cnf', { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' }, null, {}),
];

const subjects: readonly Entry[] = [
  ...sent([
    ...claimed('subject', 'sub', undefined, '', 7, 'é'.repeat(128), '\ud800'),
    ...claimed('allowed', 'sub', `${'é'.repeat(127)}x`),
  ]),
  ...claimed('subject', 'sub', null, true, ['alice'], { id: 'alice' }),
  ...claimed(
    'subject',
    'sub',
    'x'.repeat(256),
    '水'.repeat(86),
    '🌱'.repeat(64),
    'alice\ud83c',
    '\udf31\ud83c',
  ),
  ...changed('subject', {
    'the subject in another claim': { claims: { sub: undefined, user_id: 'alice', username: 'alice' } },
    'the subject in the header': { header: { sub: 'alice' }, claims: { sub: undefined } },
  }),
  // The subject is only part of a partition key, so neither a NUL nor a separator selects another partition.
  ...claimed('allowed', 'sub', 'a', 'x'.repeat(255), 'group#gardeners', 'somebody\0', '\u0001\n\r\t\u007f'),
  ...claimed('allowed', 'sub', '  ', 'e\u0301 \u00e9', '__proto__', '\u202esomebody'),
];

const groupLists: readonly Entry[] = [
  ...sent([
    ...claimed('groups', 'groups', 'gardeners', null, ['gardeners', 7], [''], ['x'.repeat(256)], groups(101)),
    ...claimed('allowed', 'groups', undefined, groups(100)),
  ]),
  ...claimed('groups', 'groups', '', 'gardeners,buyers', 5, false, { gardeners: true }),
  ...claimed('groups', 'groups', { 0: 'gardeners', length: 1 }, ['gardeners', null], [['gardeners']], [true]),
  ...claimed('groups', 'groups', [{ name: 'gardeners' }], ['水'.repeat(86)], ['\ud800'], [...groups(99), '']),
  ...changed('groups', {
    'the same group 101 times': { claims: { groups: Array.from({ length: 101 }, () => 'gardeners') } },
  }),
  ...claimed('allowed', 'groups', [], ['gardeners', 'gardeners'], ['x'.repeat(255)], ['user#somebody']),
];

/** Parameters and claims that the authorizer ignores. */
const unknownMembers: readonly Entry[] = [
  ...headed('allowed', 'urn:example:x', [1, { y: null }]),
  ...claimed('allowed', 'urn:example:x', [1, { y: null }]),
  // Both are for encrypted and nested tokens.
  ...headed('allowed', 'zip', 'DEF'),
  ...headed('allowed', 'cty', 'JWT'),
  ...headed('allowed', 'enc', 'A256GCM'),
  // By RFC 7797, b64 has an effect only when crit names it.
  ...headed('allowed', 'b64', false),
  ...changed('allowed', {
    'claims with the authorizer’s result': { claims: { isAuthorized: false, context: { subject: 'root' } } },
    'lists nested 500 levels deep': { claims: { deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) } },
  }),
];

export const claimEntries: readonly Entry[] = [
  ...issuersAndAudiences,
  ...times,
  ...types,
  ...keyBound,
  ...subjects,
  ...groupLists,
  ...unknownMembers,
];
