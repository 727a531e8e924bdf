// The decisions on tokens while an issuer changes its keys, publishes bad keys or is down.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { JwksUnavailable } from '../../functions/authorizer/jwks-cache.ts';
import type { JsonObject } from '../../functions/runtime/json-object.ts';
import { issuerOf } from '../support/issuer.ts';
import { ecKey, rsaKey, type SigningKey } from '../support/signing-keys.ts';
import { startAuthorizer } from './authorizer.ts';

const issuer = issuerOf(ecKey('unused'), 'https://login.example.com', 'plant-store');
const [oldKey, newKey, unpublishedKey] = [ecKey('old'), ecKey('new'), ecKey('unpublished')];
const [strongKey, weakKey] = [rsaKey('strong'), rsaKey('weak', 1024)];
const nineKeys = Array.from({ length: 9 }, () => ecKey('same'));
const [eighthKey = oldKey, ninthKey = oldKey] = nineKeys.slice(7);
const nineWeakKeys = nineKeys.map((_, index) => rsaKey(`weak ${String(index)}`, 1024).jwk);
const unusableKeys: readonly JsonObject[] = [
  // Keys without a modulus.
  ...nineKeys.map(() => ({ ...strongKey.jwk, n: undefined })),
  // Keys with the private part.
  ...nineKeys.map(({ kid }) => rsaKey(kid).privateJwk),
  // Keys with the members of another type of key, or with members that are no text.
  { ...unpublishedKey.jwk, kty: 'RSA' },
  { ...strongKey.jwk, n: 7, e: null },
  // Keys for another purpose or algorithm.
  { ...strongKey.jwk, use: 'enc' },
  { ...strongKey.jwk, key_ops: ['sign'] },
  { ...strongKey.jwk, alg: 'RS512' },
];

const keySetOf = (...keys: readonly unknown[]): string => JSON.stringify({ keys });
const withoutKid = ({ jwk }: SigningKey): unknown => ({ ...jwk, kid: undefined });
const oldKeySet = keySetOf(oldKey.jwk);
const newKeySet = keySetOf(newKey.jwk);

/** A request to the authorizer, with the expected decision and fetches. */
interface Request {
  /** The issuer's key set from now on; undefined while the issuer is down. */
  readonly keySet: string | undefined;
  readonly secondsLater?: number;
  /** The key that signs the token. */
  readonly key: SigningKey;
  /** The changes of the token's header. */
  readonly header?: JsonObject;
  readonly decision: 'allowed' | 'denied' | 'undecided';
  /** The number of fetches of the key set so far. */
  readonly fetches: number;
}

interface Case {
  readonly title: string;
  readonly requests: readonly Request[];
  /** The log entries about fetches. */
  readonly log?: readonly unknown[];
}

const changesOfTheIssuer: readonly Case[] = [
  {
    title: 'fetches the key set again after ten minutes, and then denies a withdrawn key',
    requests: [
      { keySet: oldKeySet, key: oldKey, decision: 'allowed', fetches: 1 },
      { keySet: newKeySet, secondsLater: 599.999, key: oldKey, decision: 'allowed', fetches: 1 },
      { keySet: newKeySet, secondsLater: 0.001, key: oldKey, decision: 'denied', fetches: 2 },
    ],
  },
  {
    title: 'fetches the key set again for an unknown key, but not within five seconds of the last fetch',
    requests: [
      { keySet: oldKeySet, key: oldKey, decision: 'allowed', fetches: 1 },
      { keySet: newKeySet, secondsLater: 4.999, key: newKey, decision: 'denied', fetches: 1 },
      { keySet: newKeySet, secondsLater: 0.001, key: newKey, decision: 'allowed', fetches: 2 },
    ],
  },
  {
    title: 'decides for an hour while the issuer is down, and then throws until the issuer is up again',
    requests: [
      { keySet: oldKeySet, key: oldKey, decision: 'allowed', fetches: 1 },
      { keySet: undefined, secondsLater: 900, key: oldKey, decision: 'allowed', fetches: 2 },
      { keySet: undefined, secondsLater: 29.999, key: oldKey, decision: 'allowed', fetches: 2 },
      { keySet: undefined, secondsLater: 0.001, key: oldKey, decision: 'allowed', fetches: 3 },
      { keySet: undefined, secondsLater: 2669.999, key: oldKey, decision: 'allowed', fetches: 4 },
      { keySet: undefined, secondsLater: 0.001, key: oldKey, decision: 'undecided', fetches: 4 },
      { keySet: undefined, secondsLater: 1, key: oldKey, decision: 'undecided', fetches: 5 },
      { keySet: oldKeySet, secondsLater: 1, key: oldKey, decision: 'allowed', fetches: 6 },
    ],
    log: [
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 900, cause: 'ECONNREFUSED' }],
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 930, cause: 'ECONNREFUSED' }],
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 3600, cause: 'ECONNREFUSED' }],
      ['error', { event: 'key-set-unavailable', cause: 'ECONNREFUSED' }],
    ],
  },
  {
    title: 'fetches the key set for an unknown key a second after a failed fetch, although refreshes pause',
    requests: [
      { keySet: oldKeySet, key: oldKey, decision: 'allowed', fetches: 1 },
      { keySet: undefined, secondsLater: 900, key: oldKey, decision: 'allowed', fetches: 2 },
      { keySet: newKeySet, secondsLater: 0.999, key: newKey, decision: 'undecided', fetches: 2 },
      { keySet: newKeySet, secondsLater: 0.001, key: newKey, decision: 'allowed', fetches: 3 },
      { keySet: newKeySet, key: oldKey, decision: 'denied', fetches: 3 },
    ],
  },
  {
    title: 'fetches the key set again if the clock steps back behind the last fetch',
    requests: [
      { keySet: oldKeySet, key: oldKey, decision: 'allowed', fetches: 1 },
      { keySet: newKeySet, secondsLater: -3600, key: oldKey, decision: 'denied', fetches: 2 },
      { keySet: newKeySet, key: newKey, decision: 'allowed', fetches: 2 },
      { keySet: oldKeySet, secondsLater: -0.001, key: oldKey, decision: 'allowed', fetches: 3 },
      { keySet: undefined, secondsLater: -1, key: oldKey, decision: 'undecided', fetches: 4 },
    ],
  },
  {
    title: 'fetches the key set if the clock steps back behind the last failed fetch',
    requests: [
      { keySet: undefined, key: oldKey, decision: 'undecided', fetches: 1 },
      { keySet: oldKeySet, secondsLater: -3600, key: oldKey, decision: 'allowed', fetches: 2 },
      { keySet: undefined, secondsLater: 700, key: oldKey, decision: 'allowed', fetches: 3 },
      { keySet: newKeySet, secondsLater: -50, key: oldKey, decision: 'denied', fetches: 4 },
    ],
  },
  {
    title: 'allows a new key without a kid after a rotation, and denies the old key',
    requests: [
      {
        keySet: keySetOf(withoutKid(oldKey)),
        key: oldKey,
        header: { kid: undefined },
        decision: 'allowed',
        fetches: 1,
      },
      {
        keySet: keySetOf(withoutKid(newKey)),
        secondsLater: 5,
        key: newKey,
        header: { kid: undefined },
        decision: 'allowed',
        fetches: 2,
      },
      {
        keySet: keySetOf(withoutKid(newKey)),
        key: oldKey,
        header: { kid: undefined },
        decision: 'denied',
        fetches: 2,
      },
    ],
  },
];

/** Problems of the issuer that make a fetch fail, with the cause in the log. */
const failedFetches: readonly (readonly [problem: string, keySet: string | undefined, cause: string])[] = [
  ['is down', undefined, 'ECONNREFUSED'],
  ['publishes no key', keySetOf(), 'NoUsableKey'],
  ['publishes no list of keys', '{"keys":{}}', 'NoKeySet'],
  ['publishes no JSON', '<html>', 'SyntaxError'],
  ['publishes only a weak key', keySetOf(weakKey.jwk), 'NoUsableKey'],
];

const problemsOfTheIssuer = failedFetches.map(([problem, keySet, cause]): Case => ({
  title: `allows the old key, and cannot decide on a new key, while the issuer ${problem}`,
  requests: [
    { keySet: oldKeySet, key: oldKey, decision: 'allowed', fetches: 1 },
    { keySet, secondsLater: 5, key: newKey, decision: 'undecided', fetches: 2 },
    { keySet, key: oldKey, decision: 'allowed', fetches: 2 },
    { keySet: newKeySet, secondsLater: 0.999, key: newKey, decision: 'undecided', fetches: 2 },
    { keySet: newKeySet, secondsLater: 0.001, key: newKey, decision: 'allowed', fetches: 3 },
  ],
  log: [['warn', { event: 'key-set-refresh-failed', ageSeconds: 5, cause }]],
}));

const severalKeys = keySetOf(oldKey.jwk, newKey.jwk);
const keysOfOneKid = keySetOf(...nineKeys.map(({ jwk }) => jwk));
const weakAndStrong = keySetOf(weakKey.jwk, strongKey.jwk);
const manyWeakAndStrong = keySetOf(...nineWeakKeys, strongKey.jwk);
const unusableAndStrong = keySetOf(
  ...[...nineWeakKeys, ...unusableKeys].map((key) => ({ ...key, kid: 'strong' })),
  strongKey.jwk,
);
const textAndKey = keySetOf('new', oldKey.jwk);

const choicesOfKeys: readonly Case[] = [
  {
    title: 'tries all keys for a token without a kid',
    requests: [
      { keySet: severalKeys, key: oldKey, header: { kid: undefined }, decision: 'allowed', fetches: 1 },
      { keySet: severalKeys, key: newKey, header: { kid: undefined }, decision: 'allowed', fetches: 1 },
      {
        keySet: severalKeys,
        key: unpublishedKey,
        header: { kid: undefined },
        decision: 'denied',
        fetches: 1,
      },
    ],
  },
  {
    title: 'tries eight keys with the kid of a token, but no ninth',
    requests: [
      { keySet: keysOfOneKid, key: eighthKey, decision: 'allowed', fetches: 1 },
      { keySet: keysOfOneKid, key: ninthKey, decision: 'denied', fetches: 1 },
    ],
  },
  {
    title: 'allows a strong key after a weak key, and denies the weak key',
    requests: [
      { keySet: weakAndStrong, key: strongKey, header: { kid: undefined }, decision: 'allowed', fetches: 1 },
      { keySet: weakAndStrong, key: strongKey, decision: 'allowed', fetches: 1 },
      { keySet: weakAndStrong, key: weakKey, header: { kid: undefined }, decision: 'denied', fetches: 1 },
    ],
  },
  {
    title: 'allows a strong key after nine weak keys, which do not count among the eight',
    requests: [
      { keySet: manyWeakAndStrong, key: strongKey, decision: 'allowed', fetches: 1 },
      {
        keySet: manyWeakAndStrong,
        key: strongKey,
        header: { kid: undefined },
        decision: 'allowed',
        fetches: 1,
      },
      { keySet: manyWeakAndStrong, key: weakKey, decision: 'denied', fetches: 1 },
    ],
  },
  {
    title: 'allows a strong key after unusable keys with the same kid',
    requests: [
      { keySet: unusableAndStrong, key: strongKey, decision: 'allowed', fetches: 1 },
      {
        keySet: unusableAndStrong,
        key: strongKey,
        header: { kid: undefined },
        decision: 'allowed',
        fetches: 1,
      },
      { keySet: unusableAndStrong, key: unpublishedKey, decision: 'denied', fetches: 1 },
    ],
  },
  {
    title: 'ignores a text among the keys',
    requests: [
      { keySet: textAndKey, key: oldKey, decision: 'allowed', fetches: 1 },
      { keySet: textAndKey, key: newKey, decision: 'denied', fetches: 1 },
    ],
  },
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([...changesOfTheIssuer, ...problemsOfTheIssuer, ...choicesOfKeys])(
  '$title',
  async ({ requests, log: expectedLog }) => {
    const { decide, publish, fetches, log } = startAuthorizer(issuer);
    for (const [index, request] of requests.entries()) {
      const { keySet, secondsLater = 0, key, header = {} } = request;
      publish(keySet);
      vi.setSystemTime(Date.now() + secondsLater * 1000);
      const decision = await decide(`Bearer ${issuer.token({ key, header })}`).then(
        ({ isAuthorized }) => (isAuthorized ? 'allowed' : 'denied'),
        (error: unknown) => (error instanceof JwksUnavailable ? 'undecided' : error),
      );
      expect([index, decision, fetches()]).toEqual([index, request.decision, request.fetches]);
    }
    const fetchEntries = log.entries.filter(([, entry]) => JSON.stringify(entry).includes('"key-set-'));
    if (expectedLog !== undefined) expect(fetchEntries).toEqual(expectedLog);
  },
);

// Property: if the key set has the token's key, the token is allowed, whatever other weak or unusable keys
// and keys of another algorithm the key set has, with whatever `kid`, before or after that key.
it('allows a strong key with the kid of a token among any weak, unusable and other keys', async () => {
  const otherKeys = fc.shuffledSubarray(unusableKeys.concat(nineKeys.map(({ jwk }) => jwk)));
  const members = fc
    .tuple(fc.shuffledSubarray(nineWeakKeys), otherKeys, fc.constantFrom('strong', 'same', undefined))
    .map(([weak, others, kid]) => [...weak, ...others].map((key): JsonObject => ({ ...key, kid })));
  await fc.assert(
    fc.asyncProperty(members, fc.nat(), async (keys, position) => {
      const { decide, publish } = startAuthorizer(issuer);
      publish(keySetOf(...keys.toSpliced(position % (keys.length + 1), 0, strongKey.jwk)));
      expect(await decide(`Bearer ${issuer.token({ key: strongKey })}`)).toMatchObject({
        isAuthorized: true,
      });
    }),
  );
});
