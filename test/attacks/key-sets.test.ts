// The decisions on tokens while an issuer changes its keys, publishes bad ones or is down.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { JwksUnavailable } from '../../functions/authorizer/jwks-cache.ts';
import type { JsonObject } from '../../functions/runtime/json-object.ts';
import { issuerOf, type TokenChanges } from '../support/issuer.ts';
import { ecKey, rsaKey, type SigningKey } from '../support/tokens.ts';
import { startAuthorizer } from './authorizer.ts';

const issuer = issuerOf(ecKey('unused'), 'https://login.example.com', 'plant-store');
const [first, second, stranger] = [ecKey('first'), ecKey('second'), ecKey('stranger')];
const [strong, weak] = [rsaKey('strong'), rsaKey('weak', 1024)];

/** A request: the key set published from then on (undefined: the issuer is down), and its token's changes. */
type Step = readonly [
  publishes: string | undefined,
  secondsLater: number,
  token: TokenChanges,
  outcome: 'allowed' | 'denied' | 'undecided',
  fetchesSoFar: number,
];

const jwks = (...keys: readonly unknown[]): string => JSON.stringify({ keys });
const [firstOnly, secondOnly, down] = [jwks(first.jwk), jwks(second.jwk), undefined];
const withoutKid = ({ jwk }: SigningKey): unknown => ({ ...jwk, kid: undefined });
const by = (key: SigningKey, header = {}): TokenChanges => ({ key, header });
const byUnnamed = (key: SigningKey): TokenChanges => by(key, { kid: undefined });
const bySame = (key: SigningKey): TokenChanges => by(key, { kid: 'same' });

const start: Step = [firstOnly, 0, by(first), 'allowed', 1];
/** The first key set is replaced by a bad one for a while, then by one with the second key. */
const failedRefresh = (bad: string | undefined, cause: string): [readonly Step[], readonly unknown[]] => [
  [
    start,
    [bad, 5, by(second), 'undecided', 2],
    [bad, 0, by(first), 'allowed', 2],
    [secondOnly, 0.999, by(second), 'undecided', 2],
    [secondOnly, 0.001, by(second), 'allowed', 3],
  ],
  [['warn', { event: 'key-set-refresh-failed', ageSeconds: 5, cause }]],
];
/** A key set with which some tokens are allowed and another one is denied. */
const keySet = (text: string, allowed: readonly TokenChanges[], denied: TokenChanges): readonly Step[] => [
  ...allowed.map((token): Step => [text, 0, token, 'allowed', 1]),
  [text, 0, denied, 'denied', 1],
];
const nine = Array.from({ length: 9 }, () => ecKey('same'));
const weakOnes = nine.map((_, index) => rsaKey(`weak ${String(index)}`, 1024).jwk);
/** RSA keys without a modulus, with a private part, or for another purpose or algorithm. */
const unusable: readonly JsonObject[] = [
  ...nine.map(() => ({ ...strong.jwk, n: undefined })),
  ...nine.map(({ kid }) => rsaKey(kid).privateJwk),
  { ...stranger.jwk, kty: 'RSA' },
  { ...strong.jwk, n: 7, e: null },
  { ...strong.jwk, use: 'enc' },
  { ...strong.jwk, key_ops: ['sign'] },
  { ...strong.jwk, alg: 'RS512' },
];
const [eighth = first, ninth = first] = nine.slice(7);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each<[string, readonly Step[], log?: readonly unknown[]]>([
  [
    'keys that are ten minutes old',
    [start, [secondOnly, 599.999, by(first), 'allowed', 1], [secondOnly, 0.001, by(first), 'denied', 2]],
  ],
  [
    'unknown keys, which cause a fetch in five seconds',
    [start, [secondOnly, 4.999, by(second), 'denied', 1], [secondOnly, 0.001, by(second), 'allowed', 2]],
  ],
  [
    'an issuer that is down for an hour',
    [
      start,
      [down, 900, by(first), 'allowed', 2],
      [down, 29.999, by(first), 'allowed', 2],
      [down, 0.001, by(first), 'allowed', 3],
      [down, 2669.999, by(first), 'allowed', 4],
      [down, 0.001, by(first), 'undecided', 4],
      [down, 1, by(first), 'undecided', 5],
      [firstOnly, 1, by(first), 'allowed', 6],
    ],
    [
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 900, cause: 'ECONNREFUSED' }],
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 930, cause: 'ECONNREFUSED' }],
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 3600, cause: 'ECONNREFUSED' }],
      ['error', { event: 'key-set-unavailable', cause: 'ECONNREFUSED' }],
    ],
  ],
  [
    'an issuer that has a new key in the 30 s after a failed fetch',
    [
      start,
      [down, 900, by(first), 'allowed', 2],
      [secondOnly, 0.999, by(second), 'undecided', 2],
      [secondOnly, 0.001, by(second), 'allowed', 3],
      [secondOnly, 0, by(first), 'denied', 3],
    ],
  ],
  [
    'a clock that steps back, by which the copy is from the future',
    [
      start,
      [secondOnly, -3600, by(first), 'denied', 2],
      [secondOnly, 0, by(second), 'allowed', 2],
      [firstOnly, -0.001, by(first), 'allowed', 3],
      [down, -1, by(first), 'undecided', 4],
    ],
  ],
  [
    'a clock that steps back, by which the last failed fetch is in the future',
    [
      [down, 0, by(first), 'undecided', 1],
      [firstOnly, -3600, by(first), 'allowed', 2],
      [down, 700, by(first), 'allowed', 3],
      [secondOnly, -50, by(first), 'denied', 4],
    ],
  ],
  ['an issuer that is down when it has a new key', ...failedRefresh(down, 'ECONNREFUSED')],
  ['an issuer whose key set is empty for a while', ...failedRefresh(jwks(), 'NoUsableKey')],
  ['an issuer that has no list of keys for a while', ...failedRefresh('{"keys":{}}', 'NoKeySet')],
  ['an issuer that publishes no JSON for a while', ...failedRefresh('<html>', 'SyntaxError')],
  ['an issuer that has only a weak key for a while', ...failedRefresh(jwks(weak.jwk), 'NoUsableKey')],
  [
    'a new key in place of the old one, without key ids',
    [
      [jwks(withoutKid(first)), 0, byUnnamed(first), 'allowed', 1],
      [jwks(withoutKid(second)), 5, byUnnamed(second), 'allowed', 2],
      [jwks(withoutKid(second)), 0, byUnnamed(first), 'denied', 2],
    ],
  ],
  [
    'several keys, and tokens without a key id',
    keySet(jwks(first.jwk, second.jwk), [byUnnamed(first), byUnnamed(second)], byUnnamed(stranger)),
  ],
  ['nine keys with one id', keySet(jwks(...nine.map(({ jwk }) => jwk)), [bySame(eighth)], bySame(ninth))],
  [
    'a weak key before a strong one',
    keySet(jwks(weak.jwk, strong.jwk), [byUnnamed(strong), by(strong)], byUnnamed(weak)),
  ],
  [
    'eight weak keys before a strong one',
    keySet(jwks(...weakOnes, strong.jwk), [by(strong), byUnnamed(strong)], by(weak)),
  ],
  [
    'keys that cannot be used before a good one of the same id',
    keySet(
      jwks(...[...weakOnes, ...unusable].map((key) => ({ ...key, kid: 'strong' })), strong.jwk),
      [by(strong), byUnnamed(strong)],
      by(stranger),
    ),
  ],
  ['a member that is no key', keySet(jwks('second', first.jwk), [by(first)], by(second))],
])('denies no valid token, and allows no other, with %s', async (_, steps, logged) => {
  const { decide, publish, fetches, log } = startAuthorizer(issuer);
  for (const [index, [publishes, secondsLater, changes, outcome, fetchesSoFar]] of steps.entries()) {
    publish(publishes);
    vi.setSystemTime(Date.now() + secondsLater * 1000);
    const decision = await decide(`Bearer ${issuer.token(changes)}`).then(
      ({ isAuthorized }) => (isAuthorized ? 'allowed' : 'denied'),
      (error: unknown) => (error instanceof JwksUnavailable ? 'undecided' : error),
    );
    expect([index, decision, fetches()]).toEqual([index, outcome, fetchesSoFar]);
  }
  const fetchEntries = log.entries.filter(([, entry]) => JSON.stringify(entry).includes('"key-set-'));
  if (logged !== undefined) expect(fetchEntries).toEqual(logged);
});

it('finds the good key that a token names, whatever else the key set has, in any order', async () => {
  const few = fc.shuffledSubarray(unusable.concat(nine.map(({ jwk }) => jwk)));
  const members = fc
    .tuple(fc.shuffledSubarray(weakOnes), few, fc.constantFrom('strong', 'same', undefined))
    .map(([weakKeys, others, kid]) => [...weakKeys, ...others].map((key): JsonObject => ({ ...key, kid })));
  await fc.assert(
    fc.asyncProperty(members, fc.nat(), async (around, position) => {
      const { decide, publish } = startAuthorizer(issuer);
      publish(jwks(...around.toSpliced(position % (around.length + 1), 0, strong.jwk)));
      expect(await decide(`Bearer ${issuer.token(by(strong))}`)).toMatchObject({ isAuthorized: true });
    }),
  );
});
