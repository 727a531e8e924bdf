import { changed, claimed, type Entry, headed, now, sent } from './entry.ts';

const minute = 60;
const hour = 60 * minute;

/** Limits to the second are unit tests of claims.ts, where the clock stands still. */
export const badIssuersAudiencesAndTimes: readonly Entry[] = [
  ...sent([
    ...claimed('issuer', 'iss', { 'another issuer': 'https://issuer.example.org', 'no issuer': undefined }),
    ...claimed('audience', 'aud', { 'another audience': 'another-api', 'no audience': undefined }),
    ...claimed('lifetime', 'exp', { 'no expiry': undefined }),
    ...changed('lifetime', {
      'an expiry that is a text': () => ({ claims: { exp: String(now() + minute) } }),
      'an expiry a second ago': () => ({ claims: { exp: now() - 1 } }),
      'a beginning in a minute': () => ({ claims: { nbf: now() + minute } }),
      'an issue in a minute': () => ({ claims: { iat: now() + minute } }),
    }),
  ]),
  ...claimed('issuer', 'iss', {
    'an empty issuer': '',
    'an issuer that is null': null,
    'an issuer that is true': true,
    'an issuer that is an object': {},
    'issuers in an empty list': [],
  }),
  ...changed('issuer', {
    'the issuer in a list': ({ name }) => ({ claims: { iss: [name] } }),
    'the issuer in capitals': ({ name }) => ({ claims: { iss: name.toUpperCase() } }),
    'the issuer and a slash': ({ name }) => ({ claims: { iss: `${name}/` } }),
    'the issuer without its last letter': ({ name }) => ({ claims: { iss: name.slice(0, -1) } }),
    'the issuer as the beginning of another': ({ name }) => ({ claims: { iss: `${name}.example.org` } }),
    'the issuer behind a space': ({ name }) => ({ claims: { iss: ` ${name}` } }),
    'the issuer and a NUL': ({ name }) => ({ claims: { iss: `${name}\u0000` } }),
    'the issuer as a user name of another': ({ name }) => ({
      claims: { iss: name.replace('://', '://issuer@') },
    }),
    'the issuer in the header': ({ name }) => ({ header: { iss: name }, claims: { iss: undefined } }),
  }),
  ...claimed('audience', 'aud', {
    'an empty audience': '',
    'an audience that is null': null,
    'an audience that is true': true,
    'an audience that is a number': 0,
    'audiences in an empty list': [],
    'any audience': '*',
  }),
  ...changed('audience', {
    'the audience in capitals': ({ audience }) => ({ claims: { aud: audience.toUpperCase() } }),
    'the beginning of the audience': ({ audience }) => ({ claims: { aud: audience.slice(0, -1) } }),
    'more than the audience': ({ audience }) => ({ claims: { aud: `${audience}-admin` } }),
    'the audience and a space': ({ audience }) => ({ claims: { aud: `${audience} ` } }),
    'several audiences in one text': ({ audience }) => ({ claims: { aud: `other ${audience}` } }),
    'several audiences with commas': ({ audience }) => ({ claims: { aud: `${audience},other` } }),
    'the audience in a list in a list': ({ audience }) => ({ claims: { aud: [[audience]] } }),
    'the audience as a member': ({ audience }) => ({ claims: { aud: { [audience]: true } } }),
    'the audience in an object': ({ audience }) => ({ claims: { aud: { 0: audience, length: 1 } } }),
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
    'an expiry that is an empty text': '',
    'an expiry that is a date': '2999-12-31T23:59:59Z',
    'an expiry in an object': { exp: 4_000_000_000 },
    'an expiry in a list': [4_000_000_000],
    'an expiry a while ago': 1_000_000_000.5,
  }),
  ...claimed('lifetime', 'nbf', {
    'a beginning of null': null,
    'a beginning of false': false,
    'a beginning that is a text': '0',
    'a beginning in a list': [0],
    'a beginning beyond all calendars': 1e300,
  }),
  ...claimed('lifetime', 'iat', {
    'an issue of null': null,
    'an issue that is a text': '0',
    'an issue in an object': {},
    'an issue beyond all calendars': 1e300,
  }),
  ...changed('lifetime', {
    'an issue in milliseconds': () => ({ claims: { iat: Date.now() } }),
    'a beginning in an hour, with a later issue': () => ({
      claims: { nbf: now() + hour, iat: now() + 2 * hour, exp: now() + 3 * hour },
    }),
    'an expiry in the header': () => ({ header: { exp: now() + hour }, claims: { exp: undefined } }),
  }),
];

export const goodAudiencesAndTimes: readonly Entry[] = [
  ...sent(
    changed('allowed', {
      'one audience of several': ({ audience }) => ({ claims: { aud: ['another-api', audience] } }),
      'a beginning and an issue within the tolerance': () => ({ claims: { nbf: now() + 3, iat: now() + 3 } }),
    }),
  ),
  ...changed('allowed', {
    'a list of the one audience': ({ audience }) => ({ claims: { aud: [audience] } }),
    'the audience twice': ({ audience }) => ({ claims: { aud: [audience, audience] } }),
    'the audience among what is none': ({ audience }) => ({ claims: { aud: [null, 1, {}, audience] } }),
    'an expiry between two seconds': () => ({ claims: { exp: now() + minute + 0.5 } }),
    'no beginning and no issue': { claims: { nbf: undefined, iat: undefined } },
    'a beginning and an issue before 1970': { claims: { nbf: -1, iat: -1e300 } },
    'a beginning behind the expiry’s own second': () => ({ claims: { nbf: now() - 1, exp: now() + minute } }),
  }),
  ...claimed('allowed', 'exp', { 'an expiry beyond all calendars': 1e300 }),
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
    'a type behind a space': ' at+jwt',
    'the type of a logout token': 'logout+jwt',
    'the type of a proof': 'dpop+jwt',
    'the type of an introspection': 'token-introspection+jwt',
    'a part of the type': 'at',
    'a type that ends alike': 'x-at+jwt',
    'a type of another kind of media': 'text/at+jwt',
    'a type in full twice': 'application/application/at+jwt',
    'a type with a letter that only looks alike': 'аt+jwt',
    'a type with its plus escaped': 'at%2Bjwt',
    'several types': 'JWT, at+jwt',
  }),
  ...changed('token-type', {
    'the type in the claims': { header: { typ: undefined }, claims: { typ: 'at+jwt' } },
    'the type in another member': { header: { typ: undefined, cty: 'at+jwt' } },
  }),
];

export const goodTypes: readonly Entry[] = [
  ...sent(headed('allowed', 'typ', { 'the type in full and in capitals': 'application/AT+JWT' })),
  ...headed('allowed', 'typ', {
    'the type in capitals': 'AT+JWT',
    'the type in full': 'application/at+jwt',
    'the type in full, all in capitals': 'APPLICATION/AT+JWT',
  }),
];

const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `group-${String(index)}`);

export const badCallers: readonly Entry[] = [
  ...sent([
    ...claimed('subject', 'sub', {
      'no subject': undefined,
      'an empty subject': '',
      'a subject that is a number': 7,
      'a subject of 256 bytes': 'é'.repeat(128),
      'a subject that is not text': '\ud800',
    }),
    ...claimed('groups', 'groups', {
      'groups that are a text': 'gardeners',
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
    'a subject of 256 bytes in 64 pictures': '🌱'.repeat(64),
    'a subject that ends in half a character': 'alice\ud83c',
    'a subject with the halves of a character in each other’s place': '\udf31\ud83c',
  }),
  ...changed('subject', {
    'the subject in another claim': { claims: { sub: undefined, user_id: 'alice', username: 'alice' } },
    'the subject in the header': { header: { sub: 'alice' }, claims: { sub: undefined } },
  }),
  ...claimed('groups', 'groups', {
    'groups that are an empty text': '',
    'groups in a text with commas': 'gardeners,buyers',
    'groups that are a number': 5,
    'groups that are false': false,
    'groups in an object': { gardeners: true },
    'groups in what only looks like a list': { 0: 'gardeners', length: 1 },
    'a group of null': ['gardeners', null],
    'a group in a list': [['gardeners']],
    'a group that is an object': [{ name: 'gardeners' }],
    'a group that is true': [true],
    'a group of 258 bytes in 86 letters': ['水'.repeat(86)],
    'a group that is half a character': ['\ud800'],
    'one bad group of 100': [...groups(99), ''],
    '101 times the same group': Array.from({ length: 101 }, () => 'gardeners'),
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
    'a subject with the sign of the store’s keys': 'group#gardeners',
    // A name of a partition and nothing else: no text of it can reach another partition.
    'a subject with a NUL': 'somebody\u0000',
    'a subject of control characters': '\u0001\n\r\t\u007f',
    'a subject of spaces': '  ',
    'a subject in two forms of one letter': 'e\u0301 \u00e9',
    'a subject named __proto__': '__proto__',
    'a subject written from right to left': '\u202esomebody',
  }),
  ...claimed('allowed', 'groups', {
    'no groups in the list': [],
    'the same group twice': ['gardeners', 'gardeners'],
    'a group of 255 bytes': ['x'.repeat(255)],
    'a group with the sign of the store’s keys': ['user#somebody'],
  }),
];

/** Parameters and claims without a meaning here. */
export const unknownMembers: readonly Entry[] = [
  ...changed('allowed', {
    'an unknown header parameter': { header: { 'urn:example:x': [1, { y: null }] } },
    'an unknown claim': { claims: { 'urn:example:x': [1, { y: null }] } },
    'a compression, which only encrypted tokens have': { header: { zip: 'DEF' } },
    'a content type of a nested token around plain claims': { header: { cty: 'JWT' } },
    // RFC 7797 lets it count only where crit names it.
    'an unencoded payload without crit': { header: { b64: false } },
    'a member of encrypted tokens': { header: { enc: 'A256GCM' } },
    'claims that claim to be allowed': { claims: { isAuthorized: false, context: { subject: 'root' } } },
    'lists in lists 500 deep': { claims: { deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) } },
  }),
];
