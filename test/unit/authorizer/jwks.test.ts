import { errors } from 'jose';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/authorizer/json-object.ts';
import { cachedJwks, JwksUnavailable } from '../../../functions/authorizer/jwks.ts';
import { type RecordingLog, recordingLog } from '../../support/recording-log.ts';
import { ecKey, type SigningKey } from '../../support/tokens.ts';

const oldKey = ecKey('old');
const newKey = ecKey('new');

/** An issuer whose answers, and whose clock, a test sets. */
interface Issuer {
  /** The next answers; undefined: it cannot be reached. */
  answer: JsonObject | undefined;
  fetches: number;
  readonly log: RecordingLog;
  readonly passSeconds: (seconds: number) => void;
  /** Asks the cache for the key a token names. */
  readonly look: (key: SigningKey) => Promise<unknown>;
}

const keySet = (...keys: readonly SigningKey[]): JsonObject => ({ keys: keys.map(({ jwk }) => jwk) });

const issuerOf = (...keys: readonly SigningKey[]): Issuer => {
  let now = Date.UTC(2030, 0, 1);
  const log = recordingLog();
  const getKey = cachedJwks({
    fetchJwks: () => {
      issuer.fetches += 1;
      return issuer.answer === undefined ? Promise.reject(new Error(cause)) : Promise.resolve(issuer.answer);
    },
    now: () => now,
    log,
  });
  const issuer: Issuer = {
    answer: keySet(...keys),
    fetches: 0,
    log,
    passSeconds: (seconds) => {
      now += seconds * 1000;
    },
    look: async ({ alg, kid }) => getKey({ alg, kid }, { payload: '', signature: '' }),
  };
  return issuer;
};

const cause = 'The issuer cannot be reached.';
const unavailable = ['error', { event: 'key-set-unavailable', cause }];
const refreshFailed = (ageSeconds: number) => [
  'warn',
  { event: 'key-set-refresh-failed', ageSeconds, cause },
];

const minute = 60;
const hour = 60 * minute;

describe('the issuer’s keys', () => {
  it('are not fetched before a token asks for one', () => {
    expect(issuerOf(oldKey).fetches).toBe(0);
  });

  it('are fetched once for many tokens', async () => {
    const issuer = issuerOf(oldKey, newKey);
    await issuer.look(oldKey);
    await issuer.look(newKey);
    issuer.passSeconds(10 * minute - 1);
    await issuer.look(oldKey);
    expect(issuer.fetches).toBe(1);
  });

  it('are fetched again after ten minutes, so that a withdrawn key is trusted no longer', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = keySet(newKey);
    issuer.passSeconds(10 * minute);
    await expect(issuer.look(oldKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    await issuer.look(newKey);
  });

  it('are fetched again, once, for a token that names a key they lack', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = keySet(oldKey, newKey);
    await issuer.look(newKey);
    expect(issuer.fetches).toBe(2);
  });

  it('lack a key when the issuer still does not publish it', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    expect(issuer.fetches).toBe(2);
  });

  it('are not fetched for each of many made-up key ids', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    }
    expect(issuer.fetches).toBe(2);
    issuer.passSeconds(5);
    await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    expect(issuer.fetches).toBe(3);
  });

  it('make no log line while the issuer answers', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    await issuer.look(newKey).catch(() => undefined);
    expect(issuer.log.entries).toEqual([]);
  });
});

describe('while the issuer cannot be reached', () => {
  it('nobody can decide without a copy of its keys', async () => {
    const issuer = issuerOf();
    issuer.answer = undefined;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
      expect(issuer.fetches).toBe(attempt);
    }
    expect(issuer.log.entries).toEqual([unavailable, unavailable, unavailable]);
  });

  it('a copy younger than an hour decides, with a warning', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = undefined;
    issuer.passSeconds(hour - 1);
    await issuer.look(oldKey);
    expect(issuer.log.entries).toEqual([refreshFailed(3599)]);
  });

  it('a copy of an hour decides no longer', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = undefined;
    issuer.passSeconds(hour);
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([unavailable]);
  });

  it('the age of a copy counts from its own fetch, however often a later one failed', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = undefined;
    for (let elapsed = 0; elapsed < hour - 15 * minute; elapsed += 15 * minute) {
      issuer.passSeconds(15 * minute);
      await issuer.look(oldKey);
    }
    issuer.passSeconds(15 * minute);
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([...[900, 1800, 2700].map(refreshFailed), unavailable]);
  });

  it('each token does not wait for another attempt', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = undefined;
    issuer.passSeconds(10 * minute);
    for (let attempt = 0; attempt < 10; attempt += 1) await issuer.look(oldKey);
    expect(issuer.fetches).toBe(2);
    issuer.passSeconds(5);
    await issuer.look(oldKey);
    expect(issuer.fetches).toBe(3);
    expect(issuer.log.entries).toHaveLength(2);
  });

  it('a key that the copy lacks is unknown, with a warning', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = undefined;
    issuer.passSeconds(minute);
    await expect(issuer.look(newKey)).rejects.toThrow(errors.JWKSNoMatchingKey);
    expect(issuer.log.entries).toEqual([refreshFailed(60)]);
  });

  it('the log says why by a system code where there is one', async () => {
    const log = recordingLog();
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const getKey = cachedJwks({ fetchJwks: () => Promise.reject(refused), now: () => 0, log });
    await expect(getKey({ alg: 'ES256' }, { payload: '', signature: '' })).rejects.toThrow(JwksUnavailable);
    expect(log.entries).toEqual([['error', { event: 'key-set-unavailable', cause: 'ECONNREFUSED' }]]);
  });

  it('nothing is kept of the failure once it answers again', async () => {
    const issuer = issuerOf(oldKey);
    issuer.answer = undefined;
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    issuer.answer = keySet(oldKey);
    await issuer.look(oldKey);
    issuer.passSeconds(2 * hour);
    issuer.answer = undefined;
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
    issuer.answer = keySet(newKey);
    await issuer.look(newKey);
  });
});

describe.each<[string, JsonObject]>([
  ['an object without keys', {}],
  ['an error in JSON', { error: 'not found' }],
  ['keys that are null', { keys: null }],
  ['keys that are an object', { keys: oldKey.jwk }],
  ['keys that are texts', { keys: ['old'] }],
  ['a null among the keys', { keys: [oldKey.jwk, null] }],
  ['a list among the keys', { keys: [[oldKey.jwk]] }],
])('an issuer that answers with %s', (_, answer) => {
  it('cannot be decided upon without a copy', async () => {
    const issuer = issuerOf();
    issuer.answer = answer;
    await expect(issuer.look(oldKey)).rejects.toThrow(JwksUnavailable);
  });

  it('leaves a younger copy in place', async () => {
    const issuer = issuerOf(oldKey);
    await issuer.look(oldKey);
    issuer.answer = answer;
    issuer.passSeconds(10 * minute);
    await issuer.look(oldKey);
    expect(issuer.log.entries).toMatchObject([
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 600 }],
    ]);
  });
});
