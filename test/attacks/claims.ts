import { clockToleranceSeconds } from '../../functions/authorizer/claims.ts';
import { changed, claimed, type Entry, headed, now, sent } from './entry.ts';

const minute = 60;
const hour = 60 * minute;
const afterTolerance = (): number => now() + clockToleranceSeconds + minute;

/** The unit tests of claims.ts test limits to the second, with a fixed clock. */
export const badIssuersAudiencesAndTimes: readonly Entry[] = [
  ...sent([
    ...claimed('issuer', 'iss', { 'another issuer': 'https://issuer.example.org', 'no issuer': undefined }),
    ...claimed('audience', 'aud', { 'another audience': 'another-api', 'no audience': undefined }),
    ...claimed('lifetime', 'exp', {
      'no expiry': undefined,
      'an expiry that is a string': () => String(now() + minute),
      'an expiry a second ago': () => now() - 1,
    }),
    ...claimed('lifetime', 'nbf', { 'a start after the tolerance': () => afterTolerance() }),
    ...claimed('lifetime', 'iat', { 'an issue time after the tolerance': () => afterTolerance() }),
  ]),
  ...claimed('issuer', 'iss', {
    'an empty issuer': '',
    'an issuer that is null': null,
    'an issuer that is true': true,
    'an issuer that is an object': {},
    'an empty list of issuers': [],
    'the issuer in a list': ({ name }) => [name],
    'the issuer in upper case': ({ name }) => name.toUpperCase(),
    'the issuer and a slash': ({ name }) => `${name}/`,
    'the issuer without its last letter': ({ name }) => name.slice(0, -1),
    'the issuer as the prefix of another': ({ name }) => `${name}.example.org`,
    'the issuer after a space': ({ name }) => ` ${name}`,
    'the issuer and a NUL': ({ name }) => `${name}\u0000`,
    'the issuer with a user name': ({ name }) => name.replace('://', '://issuer@'),
  }),
  ...changed('issuer', {
    'the issuer in the header': ({ name }) => ({ header: { iss: name }, claims: { iss: undefined } }),
  }),
  ...claimed('audience', 'aud', {
    'an empty audience': '',
    'an audience that is null': null,
    'an audience that is true': true,
    'an audience that is a number': 0,
    'an empty list of audiences': [],
    'a wildcard audience': '*',
    'the audience in upper case': ({ audience }) => audience.toUpperCase(),
    'the start of the audience': ({ audience }) => audience.slice(0, -1),
    'the audience with a suffix': ({ audience }) => `${audience}-admin`,
    'the audience and a space': ({ audience }) => `${audience} `,
    'several audiences in one string': ({ audience }) => `other ${audience}`,
    'several audiences with commas': ({ audience }) => `${audience},other`,
    'the audience in a nested list': ({ audience }) => [[audience]],
    'the audience as a member name': ({ audience }) => ({ [audience]: true }),
    'the audience in an object': ({ audience }) => ({ 0: audience, length: 1 }),
  }),
  ...changed('audience', {
    'the audience in the header': ({ audience }) => ({
      header: { aud: audience },
      claims: { aud: undefined },
    }),
    'the audience as the client': ({ audience }) => ({
      claims: { aud: 'another-api', client_id: audience, azp: audience },
    }),
  }),
  ...claimed('lifetime', 'exp', {
    'an expiry of null': null,
    'an expiry of true': true,
    'an expiry of zero': 0,
    'an expiry before 1970': -1,
    'an expiry that is an empty string': '',
    'an expiry that is a date': '2999-12-31T23:59:59Z',
    'an expiry in an object': { exp: 4_000_000_000 },
    'an expiry in a list': [4_000_000_000],
    'an expiry in 2001': 1_000_000_000.5,
  }),
  ...claimed('lifetime', 'nbf', {
    'a start of null': null,
    'a start of false': false,
    'a start that is a string': '0',
    'a start in a list': [0],
    'a start that is too large for a date': 1e300,
  }),
  ...claimed('lifetime', 'iat', {
    'an issue time of null': null,
    'an issue time that is a string': '0',
    'an issue time in an object': {},
    'an issue time that is too large for a date': 1e300,
  }),
  ...changed('lifetime', {
    'an issue time in milliseconds': () => ({ claims: { iat: Date.now() } }),
    'a start in an hour, with a later issue time': () => ({
      claims: { nbf: now() + hour, iat: now() + 2 * hour, exp: now() + 3 * hour },
    }),
    'an expiry in the header': () => ({ header: { exp: now() + hour }, claims: { exp: undefined } }),
  }),
];

export const goodAudiencesAndTimes: readonly Entry[] = [
  ...sent(
    changed('allowed', {
      'one of several audiences': ({ audience }) => ({ claims: { aud: ['another-api', audience] } }),
      'a start and an issue time within the tolerance': () => ({
        claims: { nbf: now() + clockToleranceSeconds - 5, iat: now() + clockToleranceSeconds - 5 },
      }),
    }),
  ),
  ...claimed('allowed', 'aud', {
    'the audience in a list': ({ audience }) => [audience],
    'the audience twice': ({ audience }) => [audience, audience],
    'the audience among values of other types': ({ audience }) => [null, 1, {}, audience],
  }),
  ...claimed('allowed', 'exp', {
    'an expiry between two seconds': () => now() + minute + 0.5,
    'an expiry that is too large for a date': 1e300,
  }),
  ...changed('allowed', {
    'no start and no issue time': { claims: { nbf: undefined, iat: undefined } },
    'a start and an issue time before 1970': { claims: { nbf: -1, iat: -1e300 } },
    'a start a second ago and an expiry in a minute': () => ({
      claims: { nbf: now() - 1, exp: now() + minute },
    }),
  }),
];

export const badTypes: readonly Entry[] = [
  ...sent(headed('token-type', 'typ', { 'no type': undefined, 'the type of an ID token': 'JWT' })),
  ...headed('token-type', 'typ', {
    'an empty type': '',
    'a type of null': null,
    'a type of true': true,
    'a type in a list': ['at+jwt'],
    'a type in an object': { typ: 'at+jwt' },
    'a type with a parameter': 'at+jwt; charset=utf-8',
    'a type and a space': 'at+jwt ',
    'a type after a space': ' at+jwt',
    'the type of a logout token': 'logout+jwt',
    'the type of a DPoP proof': 'dpop+jwt',
    'the type of a token introspection': 'token-introspection+jwt',
    'the start of the type': 'at',
    'the type with a prefix': 'x-at+jwt',
    'the type with another media type': 'text/at+jwt',
    'the type with its media type twice': 'application/application/at+jwt',
    'the type with its media type inside': 'at+application/jwt',
    'the type with a letter that looks alike': 'аt+jwt',
    'the type with an escaped plus sign': 'at%2Bjwt',
    'several types': 'JWT, at+jwt',
  }),
  ...changed('token-type', {
    'the type in the claims': { header: { typ: undefined }, claims: { typ: 'at+jwt' } },
    'the type in another member': { header: { typ: undefined, cty: 'at+jwt' } },
  }),
];

export const goodTypes: readonly Entry[] = [
  ...sent(headed('allowed', 'typ', { 'the full media type in mixed case': 'application/AT+JWT' })),
  ...headed('allowed', 'typ', {
    'the type in upper case': 'AT+JWT',
    'the full media type': 'application/at+jwt',
    'the full media type in upper case': 'APPLICATION/AT+JWT',
  }),
];

const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `group-${String(index)}`);

/** Of tokens bound to a key (RFC 7800, RFC 8705, RFC 9449). */
export const keyBound: readonly Entry[] = [
  ...sent(
    claimed('key-bound', 'cnf', {
      'the thumbprint of a key': { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' },
    }),
  ),
  ...claimed('key-bound', 'cnf', {
    'the thumbprint of a certificate': { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' },
    'a confirmation of null': null,
    'an empty confirmation': {},
  }),
];

export const badCallers: readonly Entry[] = [
  ...sent([
    ...claimed('subject', 'sub', {
      'no subject': undefined,
      'an empty subject': '',
      'a subject that is a number': 7,
      'a subject of 256 bytes': 'é'.repeat(128),
      'a subject of a lone surrogate': '\ud800',
    }),
    ...claimed('groups', 'groups', {
      'groups that are a string': 'gardeners',
      'groups that are null': null,
      'a group that is a number': ['gardeners', 7],
      'an empty group': [''],
      'a group of 256 bytes': ['x'.repeat(256)],
      '101 groups': groups(101),
    }),
  ]),
  ...claimed('subject', 'sub', {
    'a subject of null': null,
    'a subject of true': true,
    'a subject in a list': ['alice'],
    'a subject in an object': { id: 'alice' },
    'a subject of 256 letters': 'x'.repeat(256),
    'a subject of 258 bytes in 86 letters': '水'.repeat(86),
    'a subject of 256 bytes in 64 emoji': '🌱'.repeat(64),
    'a subject with a lone surrogate at its end': 'alice\ud83c',
    'a subject with swapped surrogates': '\udf31\ud83c',
  }),
  ...changed('subject', {
    'the subject in another claim': { claims: { sub: undefined, user_id: 'alice', username: 'alice' } },
    'the subject in the header': { header: { sub: 'alice' }, claims: { sub: undefined } },
  }),
  ...claimed('groups', 'groups', {
    'groups that are an empty string': '',
    'groups in a string with commas': 'gardeners,buyers',
    'groups that are a number': 5,
    'groups that are false': false,
    'groups in an object': { gardeners: true },
    'groups in an object that looks like a list': { 0: 'gardeners', length: 1 },
    'a group of null': ['gardeners', null],
    'a group in a list': [['gardeners']],
    'a group that is an object': [{ name: 'gardeners' }],
    'a group that is true': [true],
    'a group of 258 bytes in 86 letters': ['水'.repeat(86)],
    'a group of a lone surrogate': ['\ud800'],
    'one invalid group of 100': [...groups(99), ''],
    'the same group 101 times': Array.from({ length: 101 }, () => 'gardeners'),
  }),
];

export const goodCallers: readonly Entry[] = [
  ...sent([
    ...claimed('allowed', 'sub', { 'a subject of 255 bytes': `${'é'.repeat(127)}x` }),
    ...claimed('allowed', 'groups', { 'no groups claim': undefined, '100 groups': groups(100) }),
  ]),
  ...claimed('allowed', 'sub', {
    'a subject of one letter': 'a',
    'a subject of 255 letters': 'x'.repeat(255),
    'a subject with the separator of the store’s keys': 'group#gardeners',
    // The subject is only part of a partition key, so it cannot select another partition.
    'a subject with a NUL': 'somebody\u0000',
    'a subject of control characters': '\u0001\n\r\t\u007f',
    'a subject of spaces': '  ',
    'a subject with two normalization forms of one letter': 'e\u0301 \u00e9',
    'a subject named __proto__': '__proto__',
    'a subject written from right to left': '\u202esomebody',
  }),
  ...claimed('allowed', 'groups', {
    'an empty list of groups': [],
    'the same group twice': ['gardeners', 'gardeners'],
    'a group of 255 bytes': ['x'.repeat(255)],
    'a group with the separator of the store’s keys': ['user#somebody'],
  }),
];

/** Parameters and claims that the authorizer ignores. */
export const unknownMembers: readonly Entry[] = [
  ...changed('allowed', {
    'an unknown header parameter': { header: { 'urn:example:x': [1, { y: null }] } },
    'an unknown claim': { claims: { 'urn:example:x': [1, { y: null }] } },
    'the compression of encrypted tokens': { header: { zip: 'DEF' } },
    'the content type of a nested token': { header: { cty: 'JWT' } },
    // By RFC 7797, b64 has an effect only when crit names it.
    'an unencoded payload without crit': { header: { b64: false } },
    'a parameter of encrypted tokens': { header: { enc: 'A256GCM' } },
    'claims with the authorizer’s result': { claims: { isAuthorized: false, context: { subject: 'root' } } },
    'lists nested 500 levels deep': { claims: { deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) } },
  }),
];
