import { errors } from 'jose';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/authorizer/json-object.ts';
import { cachedJwks, JwksUnavailable } from '../../../functions/authorizer/jwks.ts';
import { type RecordingLog, recordingLog } from '../../support/recording-log.ts';
import { ecKey, type SigningKey } from '../../support/tokens.ts';

const oldKey = ecKey('old');
const newKey = ecKey('new');

/** An issuer with responses and a clock that the test sets. */
interface Issuer {
  /** The next responses; undefined when the issuer is unreachable. */
  response: JsonObject | undefined;
  fetches: number;
  readonly log: RecordingLog;
  readonly passSeconds: (seconds: number) => void;
  /** Looks up the key of a token in the cache. */
  readonly look: (key: SigningKey) => Promise<unknown>;
}

const jwksOf = (...keys: readonly SigningKey[]): JsonObject => ({ keys: keys.map(({ jwk }) => jwk) });

const issuerOf = (...keys: readonly SigningKey[]): Issuer => {
  let now = Date.UTC(2030, 0, 1);
  const log = recordingLog();
  const getKey = cachedJwks({
    fetchJwks: () => {
      issuer.fetches += 1;
      return issuer.response === undefined
        ? Promise.reject(new Error(cause))
        : Promise.resolve(issuer.response);
    },
    now: () => now,
    log,
  });
  const issuer: Issuer = {
    response: jwksOf(...keys),
    fetches: 0,
    log,
    passSeconds: (seconds) => {
      now += seconds * 1000;
    },
    look: async ({ alg, kid }) => getKey({ alg, kid }, { payload: '', signature: '' }),
  };
  return issuer;
};

/** An issuer with a copy of its keys in the cache. */
const cachedIssuer = async (...keys: readonly SigningKey[]): Promise<Issuer> => {
  const issuer = issuerOf(...keys);
  for (const key of keys) await issuer.look(key);
  return issuer;
};

/** An issuer that has been unreachable for this time, with a copy of the old key in the cache. */
const unreachableFor = async (seconds: number): Promise<Issuer> => {
  const issuer = await cachedIssuer(oldKey);
  issuer.response = undefined;
  issuer.passSeconds(seconds);
  return issuer;
};

const cause = 'The issuer is unreachable.';
const unavailable = ['error', { event: 'key-set-unavailable', cause }];
const refreshFailed = (ageSeconds: number) => [
  'warn',
  { event: 'key-set-refresh-failed', ageSeconds, cause },
];

const minute = 60;
const hour = 60 * minute;

describe('the issuer’s keys', () => {
  it('are not fetched before the first token', () => {
    expect(issuerOf(oldKey).fetches).toBe(0);
  });

  it('are fetched once for many tokens', async () => {
    const issuer = await cachedIssuer(oldKey, newKey);
    issuer.passSeconds(10 * minute - 1);
    await issuer.look(oldKey);
    expect(issuer.fetches).toBe(1);
  });

  it('are fetched again after ten minutes, so that a withdrawn key expires', async () => {
    const issuer = await cachedIssuer(oldKey);
    issuer.response = jwksOf(newKey);
    issuer.passSeconds(10 * minute);
    await expect(issuer.look(oldKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    await issuer.look(newKey);
  });

  it('are fetched again, once, for a token with an unknown key id', async () => {
    const issuer = await cachedIssuer(oldKey);
    issuer.response = jwksOf(oldKey, newKey);
    await issuer.look(newKey);
    expect(issuer.fetches).toBe(2);
  });

  it('do not match a key that the issuer still does not publish', async () => {
    const issuer = await cachedIssuer(oldKey);
    await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    expect(issuer.fetches).toBe(2);
  });

  it('are not fetched for each of many unknown key ids', async () => {
    const issuer = await cachedIssuer(oldKey);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    }
    expect(issuer.fetches).toBe(2);
    issuer.passSeconds(5);
    await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    expect(issuer.fetches).toBe(3);
  });

  it('cause no log entry while the issuer responds', async () => {
    const issuer = await cachedIssuer(oldKey);
    await issuer.look(newKey).catch(() => undefined);
    expect(issuer.log.entries).toEqual([]);
  });
});

describe('while the issuer is unreachable', () => {
  it('the authorizer cannot decide without a copy of its keys', async () => {
    const issuer = issuerOf();
    issuer.response = undefined;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
      expect(issuer.fetches).toBe(attempt);
    }
    expect(issuer.log.entries).toEqual([unavailable, unavailable, unavailable]);
  });

  it('a copy younger than an hour is used, with a warning', async () => {
    const issuer = await unreachableFor(hour - 1);
    await issuer.look(oldKey);
    expect(issuer.log.entries).toEqual([refreshFailed(3599)]);
  });

  it('a copy of an hour is not used', async () => {
    const issuer = await unreachableFor(hour);
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([unavailable]);
  });

  it('the age of a copy counts from its own fetch, whatever fetches failed later', async () => {
    const issuer = await unreachableFor(0);
    for (let elapsed = 0; elapsed < hour - 15 * minute; elapsed += 15 * minute) {
      issuer.passSeconds(15 * minute);
      await issuer.look(oldKey);
    }
    issuer.passSeconds(15 * minute);
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([...[900, 1800, 2700].map(refreshFailed), unavailable]);
  });

  it('not every token causes another fetch', async () => {
    const issuer = await unreachableFor(10 * minute);
    for (let attempt = 0; attempt < 10; attempt += 1) await issuer.look(oldKey);
    expect(issuer.fetches).toBe(2);
    issuer.passSeconds(5);
    await issuer.look(oldKey);
    expect(issuer.fetches).toBe(3);
    expect(issuer.log.entries).toHaveLength(2);
  });

  it('a key that the copy does not contain is unknown, with a warning', async () => {
    const issuer = await unreachableFor(minute);
    await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    expect(issuer.log.entries).toEqual([refreshFailed(60)]);
  });

  it('the log contains the system code of the cause', async () => {
    const log = recordingLog();
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const getKey = cachedJwks({ fetchJwks: () => Promise.reject(refused), now: () => 0, log });
    await expect(getKey({ alg: 'ES256' }, { payload: '', signature: '' })).rejects.toThrow(JwksUnavailable);
    expect(log.entries).toEqual([['error', { event: 'key-set-unavailable', cause: 'ECONNREFUSED' }]]);
  });

  it('a failure has no effect once the issuer responds again', async () => {
    const issuer = issuerOf(oldKey);
    issuer.response = undefined;
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    issuer.response = jwksOf(oldKey);
    await issuer.look(oldKey);
    issuer.passSeconds(2 * hour);
    issuer.response = undefined;
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    issuer.response = jwksOf(newKey);
    await issuer.look(newKey);
  });
});

describe.each<[string, JsonObject]>([
  ['an object without keys', {}],
  ['an error in JSON', { error: 'not found' }],
  ['keys that are null', { keys: null }],
  ['keys that are an object', { keys: oldKey.jwk }],
  ['keys that are strings', { keys: ['old'] }],
  ['a null among the keys', { keys: [oldKey.jwk, null] }],
  ['a list among the keys', { keys: [[oldKey.jwk]] }],
])('a JWKS response with %s', (_, response) => {
  it('is unusable without a copy', async () => {
    const issuer = issuerOf();
    issuer.response = response;
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
  });

  it('does not replace a younger copy', async () => {
    const issuer = await cachedIssuer(oldKey);
    issuer.response = response;
    issuer.passSeconds(10 * minute);
    await issuer.look(oldKey);
    expect(issuer.log.entries).toMatchObject([
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 600 }],
    ]);
  });
});
