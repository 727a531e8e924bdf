import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../functions/authorizer/claims.ts';
import { type DenialReason, Denied } from '../../../functions/authorizer/denied.ts';
import type { JsonObject } from '../../../functions/authorizer/json-object.ts';
import type { TokenPolicy, TokenProfile } from '../../../functions/authorizer/token-policy.ts';
import type { CallerContext } from '../../../functions/shared/caller-context.ts';

const now = Date.UTC(2030, 0, 1);
const seconds = now / 1000;

const policyWith = (profile: TokenProfile): TokenPolicy => ({
  profile,
  issuer: 'https://login.example.com/',
  algorithms: ['RS256'],
  groupsClaim: profile.name === 'cognito' ? 'cognito:groups' : 'groups',
});
const rfc9068 = policyWith({ name: 'rfc9068', audience: 'plant-store' });
const oidc = policyWith({ name: 'oidc', audience: 'plant-store' });
const cognito = policyWith({ name: 'cognito', clientIds: ['web', 'phone'] });

const common = { iss: 'https://login.example.com/', sub: 'alice', iat: seconds - 60, exp: seconds + 60 };
const token = { header: { typ: 'at+jwt' }, claims: { ...common, aud: 'plant-store', groups: ['gardeners'] } };

interface Change {
  readonly header?: JsonObject;
  readonly claims?: JsonObject;
}

/** The caller of a good token of the RFC 9068 profile, with these claims changed or left out. */
const callerWith = (claims: JsonObject): CallerContext =>
  callerOf({ header: token.header, claims: { ...token.claims, ...claims } }, rfc9068, now);

const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `group-${String(index)}`);

describe('the caller of a token', () => {
  it('is its subject, its groups and its expiry, and nothing else', () => {
    expect(callerWith({ email: 'alice@example.com', scope: 'plants' })).toEqual({
      subject: 'alice',
      groups: ['gardeners'],
      expiresAt: seconds + 60,
    });
  });

  it('has no groups where the token names none', () => {
    expect(callerWith({ groups: undefined }).groups).toEqual([]);
    expect(callerWith({ groups: [] }).groups).toEqual([]);
  });

  it('has the groups of the claim that the stage configures', () => {
    const policy = { ...rfc9068, groupsClaim: 'https://example.com/roles' };
    const claims = { ...token.claims, 'https://example.com/roles': ['buyers'] };
    expect(callerOf({ ...token, claims }, policy, now).groups).toEqual(['buyers']);
  });
});

describe('the issuer', () => {
  it.each<[string, unknown]>([
    ['missing', undefined],
    ['another', 'https://login.example.org/'],
    ['without the last slash', 'https://login.example.com'],
    ['in other letters', 'https://LOGIN.example.com/'],
    ['in a list', ['https://login.example.com/']],
    ['null', null],
    ['empty', ''],
  ])('is refused when it is %s', (_, iss) => {
    expect(() => callerWith({ iss })).toThrow(new Denied('issuer'));
  });
});

describe.each([
  ['rfc9068', rfc9068, { typ: 'at+jwt' }],
  ['oidc', oidc, { typ: 'JWT' }],
])('the audience in the profile %s', (_profile, policy, header) => {
  const caller = (aud: unknown): CallerContext =>
    callerOf({ header, claims: { ...token.claims, aud } }, policy, now);

  it.each<[string, unknown]>([
    ['this API', 'plant-store'],
    ['a list of it', ['plant-store']],
    ['a list with others', ['https://login.example.com/userinfo', 'plant-store']],
  ])('may be %s', (_, aud) => {
    expect(caller(aud).subject).toBe('alice');
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['an empty list', []],
    ['another', 'tree-store'],
    ['a list of others', ['tree-store', 'moss-store']],
    ['the beginning of this API’s', 'plant'],
    ['more than this API’s', 'plant-store-admin'],
    ['in other letters', 'Plant-Store'],
    ['a list in a list', [['plant-store']]],
    ['an object', { 'plant-store': true }],
  ])('is refused when it is %s', (_, aud) => {
    expect(() => caller(aud)).toThrow(new Denied('audience'));
  });
});

describe('the type of a token', () => {
  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/At+Jwt'])(
    'may be %s in the profile rfc9068',
    (typ) => {
      expect(callerOf({ ...token, header: { typ } }, rfc9068, now).subject).toBe('alice');
    },
  );

  it.each<[unknown]>([
    [undefined],
    [null],
    [''],
    ['JWT'],
    ['at'],
    ['at+jwt '],
    ['x-at+jwt'],
    [5],
    [['at+jwt']],
  ])('is refused in the profile rfc9068 when it is %j', (typ) => {
    expect(() => callerOf({ ...token, header: { typ } }, rfc9068, now)).toThrow(new Denied('token-type'));
  });

  it.each<[unknown]>([[undefined], ['JWT'], ['jwt'], ['application/jwt']])(
    'may be %j in the profile oidc',
    (typ) => {
      expect(callerOf({ ...token, header: { typ } }, oidc, now).subject).toBe('alice');
    },
  );

  it.each<[unknown]>([[null], [''], ['at+jwt'], ['logout+jwt'], ['dpop+jwt'], [5], [['JWT']]])(
    'is refused in the profile oidc when it is %j',
    (typ) => {
      expect(() => callerOf({ ...token, header: { typ } }, oidc, now)).toThrow(new Denied('token-type'));
    },
  );
});

describe('a Cognito token', () => {
  const good = { ...common, token_use: 'access', client_id: 'phone', 'cognito:groups': ['gardeners'] };
  const caller = ({ header = {}, claims }: Change = {}): CallerContext =>
    callerOf({ header, claims: { ...good, ...claims } }, cognito, now);

  it('needs neither type nor audience', () => {
    expect(caller()).toEqual({ subject: 'alice', groups: ['gardeners'], expiresAt: seconds + 60 });
    expect(caller({ claims: { 'cognito:groups': undefined } }).groups).toEqual([]);
  });

  it('may be of any configured client', () => {
    expect(caller({ claims: { client_id: 'web' } }).subject).toBe('alice');
  });

  it('has no groups but those of cognito:groups', () => {
    expect(caller({ claims: { groups: ['admins'] } }).groups).toEqual(['gardeners']);
  });

  it.each<[DenialReason, string, JsonObject]>([
    ['token-use', 'an identity token', { token_use: 'id' }],
    ['token-use', 'of no use', { token_use: undefined }],
    ['token-use', 'of several uses', { token_use: ['access'] }],
    ['client', 'of another client', { client_id: 'admin' }],
    ['client', 'of no client', { client_id: undefined }],
    ['client', 'of an empty client', { client_id: '' }],
    ['client', 'of several clients', { client_id: ['web', 'phone'] }],
    ['client', 'of the whole list of clients', { client_id: 'web,phone' }],
    ['client', 'of another client with this audience', { client_id: undefined, aud: 'web' }],
    ['issuer', 'of another user pool', { iss: 'https://login.example.org/' }],
    ['lifetime', 'past its time', { exp: seconds }],
    ['subject', 'of nobody', { sub: undefined }],
    ['groups', 'with its groups in a text', { 'cognito:groups': 'gardeners' }],
  ])('is refused for its %s when it is %s', (reason, _, claims) => {
    expect(() => caller({ claims })).toThrow(new Denied(reason));
  });
});

describe('the lifetime of a token', () => {
  it.each<[string, JsonObject]>([
    ['ends in a second', { exp: seconds + 1 }],
    ['ends in a moment', { exp: seconds + 0.001 }],
    ['begins now', { nbf: seconds, iat: seconds }],
    ['has no beginning', { nbf: undefined, iat: undefined }],
    ['begins in 5 seconds, by another clock', { nbf: seconds + 5 }],
    ['was issued in 5 seconds, by another clock', { iat: seconds + 5 }],
  ])('is good when it %s', (_, claims) => {
    expect(callerWith(claims).subject).toBe('alice');
  });

  it.each<[string, JsonObject]>([
    ['has no end', { exp: undefined }],
    ['ends now', { exp: seconds }],
    ['ended a second ago', { exp: seconds - 1 }],
    ['ended in 1970', { exp: 0 }],
    ['ends at no time', { exp: null }],
    ['ends at a text', { exp: String(seconds + 60) }],
    ['ends at a list', { exp: [seconds + 60] }],
    ['never ends', { exp: Infinity }],
    ['begins in 6 seconds', { nbf: seconds + 6 }],
    ['begins at a text', { nbf: String(seconds) }],
    ['begins at no time', { nbf: null }],
    ['begins at true', { nbf: true }],
    ['was issued in 6 seconds', { iat: seconds + 6 }],
    ['was issued at a text', { iat: String(seconds) }],
    ['was issued at no time', { iat: null }],
    ['was issued in milliseconds', { iat: now }],
  ])('is refused when it %s', (_, claims) => {
    expect(() => callerWith(claims)).toThrow(new Denied('lifetime'));
  });
});

describe('the subject', () => {
  it.each([
    ['a letter', 'a'],
    ['what Auth0 gives', 'auth0|5f7c8ec7c33c6c004bbafe82'],
    ['an address', 'alice@example.com'],
    ['a text with the key’s own sign', 'user#alice'],
    ['255 bytes', 'x'.repeat(255)],
    ['255 bytes of longer letters', `${'é'.repeat(126)}水`],
  ])('may be %s', (_, sub) => {
    expect(callerWith({ sub }).subject).toBe(sub);
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 5],
    ['true', true],
    ['a list', ['alice']],
    ['an object', { id: 'alice' }],
    ['256 bytes', 'x'.repeat(256)],
    ['256 bytes in 128 letters', 'é'.repeat(128)],
    ['a text without a form in UTF-8', 'alice\udc00'],
  ])('is refused when it is %s', (_, sub) => {
    expect(() => callerWith({ sub })).toThrow(new Denied('subject'));
  });
});

describe('the groups', () => {
  it.each<[string, readonly string[]]>([
    ['100', groups(100)],
    ['one of 255 bytes', ['x'.repeat(255)]],
    ['one of 255 bytes in 85 letters', ['水'.repeat(85)]],
  ])('may be %s', (_, list) => {
    expect(callerWith({ groups: list }).groups).toEqual(list);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'gardeners'],
    ['texts joined by commas', 'gardeners,buyers'],
    ['a number', 5],
    ['an object', { gardeners: true }],
    ['101', groups(101)],
    ['a list with an empty one', ['gardeners', '']],
    ['a list with a number', ['gardeners', 5]],
    ['a list with null', ['gardeners', null]],
    ['a list of objects', [{ name: 'gardeners' }]],
    ['a list of lists', [['gardeners']]],
    ['one of 256 bytes', ['x'.repeat(256)]],
    ['one of 258 bytes in 86 letters', ['水'.repeat(86)]],
    ['one without a form in UTF-8', ['\ud800']],
  ])('are refused when they are %s', (_, list) => {
    expect(() => callerWith({ groups: list })).toThrow(new Denied('groups'));
  });
});
