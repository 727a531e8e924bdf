import { describe, expect, it } from 'vitest';
import { callerOf } from '../../../functions/authorizer/claims.ts';
import { Denied } from '../../../functions/authorizer/denied.ts';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import type { Caller } from '../../../functions/shared/caller-context.ts';

const now = Date.UTC(2030, 0, 1) / 1000;
const policy = {
  profile: { name: 'rfc9068', audience: 'plant-store' },
  issuer: 'https://login.example.com/',
  algorithms: ['RS256'],
  groupsClaim: 'groups',
} as const;
const valid = { iss: policy.issuer, aud: 'plant-store', sub: 'alice', iat: now - 60, exp: now + 60 };

/** The caller of a token that is valid but for these claims. */
const callerWith = (claims: JsonObject): Caller =>
  callerOf(
    { header: { typ: 'at+jwt' }, payload: Buffer.from(JSON.stringify({ ...valid, ...claims })) },
    policy,
    now * 1000,
  );

/** The corpus of test/attacks tests all other claims, with the clock of the system. */
describe('the lifetime of a token', () => {
  it.each<[string, JsonObject]>([
    ['ends in a millisecond', { exp: now + 0.001 }],
    ['starts in 60 seconds, by a clock that is ahead', { nbf: now + 60 }],
    ['was issued in 60 seconds, by a clock that is ahead', { iat: now + 60 }],
  ])('is valid when it %s', (_, claims) => {
    const { exp: expiresAt } = { ...valid, ...claims };
    expect(callerWith(claims)).toEqual({ subject: 'alice', groups: [], expiresAt });
  });

  it.each<[string, JsonObject]>([
    ['ends now', { exp: now }],
    ['starts in 61 seconds', { nbf: now + 61 }],
    ['was issued in 61 seconds', { iat: now + 61 }],
  ])('is denied when it %s', (_, claims) => {
    expect(() => callerWith(claims)).toThrow(new Denied('lifetime'));
  });
});
