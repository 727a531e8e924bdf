import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../functions/authorizer/claims.ts';
import { Denied } from '../../../functions/authorizer/denied.ts';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import type { TokenPolicy } from '../../../functions/authorizer/token-policy.ts';
import type { Caller } from '../../../functions/shared/caller-context.ts';

const now = Date.UTC(2030, 0, 1);
const seconds = now / 1000;

const policy: TokenPolicy = {
  profile: { name: 'rfc9068', audience: 'plant-store' },
  issuer: 'https://login.example.com/',
  algorithms: ['RS256'],
  groupsClaim: 'groups',
};

const token = {
  header: { typ: 'at+jwt' },
  claims: {
    iss: 'https://login.example.com/',
    aud: 'plant-store',
    sub: 'alice',
    groups: ['gardeners'],
    iat: seconds - 60,
    exp: seconds + 60,
  },
};

/** The caller of a token that is valid but for these claims. */
const callerWith = (claims: JsonObject): Caller =>
  callerOf({ header: token.header, claims: { ...token.claims, ...claims } }, policy, now);

describe('the caller of a token', () => {
  it('has its subject, groups and expiry, and nothing else', () => {
    expect(callerWith({ email: 'alice@example.com', scope: 'plants' })).toEqual({
      subject: 'alice',
      groups: ['gardeners'],
      expiresAt: seconds + 60,
    });
  });

  it('has no groups when the token has none', () => {
    expect(callerWith({ groups: undefined }).groups).toEqual([]);
    expect(callerWith({ groups: [] }).groups).toEqual([]);
  });

  it('has the groups of the claim that the stage configures', () => {
    const claims = { ...token.claims, 'https://example.com/roles': ['buyers'] };
    expect(
      callerOf({ ...token, claims }, { ...policy, groupsClaim: 'https://example.com/roles' }, now).groups,
    ).toEqual(['buyers']);
  });
});

describe('the lifetime of a token', () => {
  it.each<[string, JsonObject]>([
    ['ends in a second', { exp: seconds + 1 }],
    ['ends in a millisecond', { exp: seconds + 0.001 }],
    ['starts now', { nbf: seconds, iat: seconds }],
    ['has no start', { nbf: undefined, iat: undefined }],
    ['starts in 60 seconds, by a clock that is ahead', { nbf: seconds + 60 }],
    ['was issued in 60 seconds, by a clock that is ahead', { iat: seconds + 60 }],
  ])('is valid when it %s', (_, claims) => {
    expect(callerWith(claims).subject).toBe('alice');
  });

  it.each<[string, JsonObject]>([
    ['has no end', { exp: undefined }],
    ['ends now', { exp: seconds }],
    ['ended a second ago', { exp: seconds - 1 }],
    ['starts in 61 seconds', { nbf: seconds + 61 }],
    ['was issued in 61 seconds', { iat: seconds + 61 }],
  ])('is denied when it %s', (_, claims) => {
    expect(() => callerWith(claims)).toThrow(new Denied('lifetime'));
  });
});
