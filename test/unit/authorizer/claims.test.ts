import { expect, it } from 'vitest';
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

/** The caller of a token that is valid except for these claims. */
const callerWith = (claims: JsonObject): Caller =>
  callerOf(
    { header: { typ: 'at+jwt' }, payload: Buffer.from(JSON.stringify({ ...valid, ...claims })) },
    policy,
    now * 1000,
  );

/** The corpus of test/attacks tests all other claims, with the system clock. */
it.each<[string, JsonObject, JsonObject]>([
  ['expires in a millisecond, but not now', { exp: now + 0.001 }, { exp: now }],
  ['has an nbf 60 seconds from now, but not 61', { nbf: now + 60 }, { nbf: now + 61 }],
  ['has an iat 60 seconds from now, but not 61', { iat: now + 60 }, { iat: now + 61 }],
])('a token is valid when it %s', (_, claims, denied) => {
  const { exp: expiresAt } = { ...valid, ...claims };
  expect(callerWith(claims)).toEqual({ subject: 'alice', groups: [], expiresAt });
  expect(() => callerWith(denied)).toThrow(new Denied('lifetime'));
});
