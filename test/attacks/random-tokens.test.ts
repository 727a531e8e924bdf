import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuerOf } from '../support/issuer.ts';
import { ecKey, rsaKey, type SigningKey } from '../support/tokens.ts';
import { startAuthorizer } from './authorizer.ts';
import { now } from './entry.ts';
import { ec, ed } from './keys.ts';

const issuer = issuerOf(rsaKey('rsa-1'), 'https://login.example.com', 'plant-store');

describe('a valid token', () => {
  it.each<[string, SigningKey]>([
    ['RS256', issuer.key],
    ['ES256', ec],
    ['EdDSA', ed],
  ])('with %s is denied when any of its characters is changed', async (_, key) => {
    const { decide } = await startAuthorizer(issuer);
    const token = issuer.token({ key });
    expect((await decide(`Bearer ${token}`)).isAuthorized).toBe(true);
    const replacement = fc.constantFrom(...Array.from('ABMZabmz0189-_.+/=~ ,\t"é'));
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), replacement, async (index, character) => {
        fc.pre(token[index] !== character);
        const altered = token.slice(0, index) + character + token.slice(index + 1);
        expect(await decide(`Bearer ${altered}`)).toEqual({ isAuthorized: false });
      }),
      { numRuns: 150 },
    );
  });
});

/** An issuer with an EC key, which signs ten times faster than RSA. */
const quickIssuer = issuerOf(ecKey('ec-2'), issuer.name, issuer.audience);

/** Values for a field, each with whether a valid token can have it. */
const field = (
  good: readonly unknown[],
  bad: fc.Arbitrary<unknown>,
): fc.Arbitrary<readonly [unknown, boolean]> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.tuple(fc.constantFrom(...good), fc.constant(true)) },
    { weight: 1, arbitrary: fc.tuple(bad, fc.constant(false)) },
  );
const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index));
const anyJson = fc.jsonValue({ maxDepth: 2 });
const invalidName = fc.constantFrom<unknown>(null, '', 0, true, [], {}, ['a'], '\ud800', 'x'.repeat(256));
const invalidTime = fc.constantFrom<unknown>(null, '', '1', true, [], [1], {});
const later = fc.integer({ min: now() + 3600, max: 2 ** 40 });

const header = fc.record({
  alg: field(['ES256'], anyJson),
  kid: field([quickIssuer.key.kid], anyJson),
  typ: field(['at+jwt', 'AT+jwt', 'application/at+jwt'], fc.option(anyJson, { nil: undefined })),
  crit: field([undefined], anyJson),
});
const claims = fc.record({
  iss: field([quickIssuer.name], fc.option(anyJson, { nil: undefined })),
  aud: field(
    [quickIssuer.audience, [quickIssuer.audience], ['other', quickIssuer.audience]],
    fc.option(anyJson, { nil: undefined }),
  ),
  sub: field(['a', 'x'.repeat(255), 'user#a', '🌱', '\u0000'], fc.option(invalidName, { nil: undefined })),
  groups: field(
    [undefined, [], ['a'], ['a', 'a'], names(100)],
    fc.oneof(
      fc.constantFrom<unknown>(null, '', 'a', 0, {}, names(101)),
      invalidName.map((name) => ['a', name]),
    ),
  ),
  exp: field([now() + 3600, 2 ** 40, 1e300], fc.oneof(invalidTime, fc.integer({ max: now() - 1 }))),
  nbf: field([undefined, 0, -1, now()], fc.oneof(invalidTime, later)),
  iat: field([undefined, 0, -1, now()], fc.oneof(invalidTime, later)),
});

type Choice = Readonly<Record<string, readonly [unknown, boolean]>>;
const valuesOf = (choice: Choice): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(choice).map(([name, [value]]) => [name, value]));
const isGood = (choice: Choice): boolean => Object.values(choice).every(([, good]) => good);

describe('a token that the issuer signed', () => {
  it('is accepted if and only if each of its fields is valid', async () => {
    const { decide } = await startAuthorizer(quickIssuer);
    await fc.assert(
      fc.asyncProperty(header, claims, async (head, body) => {
        const token = quickIssuer.token({ header: valuesOf(head), claims: valuesOf(body) });
        const { isAuthorized } = await decide(`Bearer ${token}`);
        expect(isAuthorized).toBe(isGood(head) && isGood(body));
      }),
      { numRuns: 500 },
    );
  });
});
