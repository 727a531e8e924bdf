import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import { cachedJwks, JwksUnavailable } from '../../../functions/authorizer/jwks.ts';
import type { KeySet } from '../../../functions/authorizer/key-set.ts';
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
  /** The ids of the keys in the authorizer's copy. */
  readonly current: () => Promise<readonly unknown[]>;
  readonly latest: () => Promise<readonly unknown[]>;
}

const jwksOf = (...keys: readonly SigningKey[]): JsonObject => ({ keys: keys.map(({ jwk }) => jwk) });
const idsIn = ({ keys }: KeySet): readonly unknown[] => keys.map(({ kid }) => kid);

const issuerOf = (...keys: readonly SigningKey[]): Issuer => {
  let now = Date.UTC(2030, 0, 1);
  const log = recordingLog();
  const { current, latest } = cachedJwks({
    algorithms: ['ES256'],
    fetchJwks: () => {
      issuer.fetches += 1;
      return issuer.response === undefined
        ? Promise.reject(Object.assign(new Error('secret'), { code: cause }))
        : Promise.resolve(issuer.response);
    },
    now: () => now,
    log,
  });
  const issuer: Issuer = {
    response: keys.length === 0 ? undefined : jwksOf(...keys),
    fetches: 0,
    log,
    passSeconds: (seconds) => {
      now += seconds * 1000;
    },
    current: async () => idsIn(await current()),
    latest: async () => idsIn(await latest()),
  };
  return issuer;
};

/** An issuer with a copy of its keys in the cache. */
const cachedIssuer = async (...keys: readonly SigningKey[]): Promise<Issuer> => {
  const issuer = issuerOf(...keys);
  await issuer.current();
  return issuer;
};

/** An issuer that has been unreachable for this time, with a copy of the old key in the cache. */
const unreachableFor = async (seconds: number): Promise<Issuer> => {
  const issuer = await cachedIssuer(oldKey);
  issuer.response = undefined;
  issuer.passSeconds(seconds);
  return issuer;
};

const cause = 'ECONNREFUSED';
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
    issuer.passSeconds(10 * minute - 0.001);
    expect(await issuer.current()).toEqual(['old', 'new']);
    expect(issuer.fetches).toBe(1);
  });

  it('are fetched once for tokens that come at the same time', async () => {
    const issuer = issuerOf(oldKey);
    await Promise.all([issuer.current(), issuer.latest(), issuer.current()]);
    expect(issuer.fetches).toBe(1);
  });

  it('are fetched again after ten minutes, so that a withdrawn key expires', async () => {
    const issuer = await cachedIssuer(oldKey);
    issuer.response = jwksOf(newKey);
    issuer.passSeconds(10 * minute);
    expect(await issuer.current()).toEqual(['new']);
  });

  it('are fetched again for a token that they do not explain, unless they are younger than five seconds', async () => {
    const issuer = await cachedIssuer(oldKey);
    issuer.response = jwksOf(oldKey, newKey);
    issuer.passSeconds(4.999);
    expect(await issuer.latest()).toEqual(['old']);
    expect(issuer.fetches).toBe(1);
    issuer.passSeconds(0.001);
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await issuer.latest()).toEqual(['old', 'new']);
    expect(issuer.fetches).toBe(2);
    expect(await issuer.current()).toEqual(['old', 'new']);
  });

  it('cause no log entry while the issuer responds', async () => {
    const issuer = await cachedIssuer(oldKey);
    issuer.passSeconds(minute);
    await issuer.latest();
    expect(issuer.log.entries).toEqual([]);
  });
});

describe('while the issuer is unreachable', () => {
  it('the authorizer cannot decide without a copy of its keys', async () => {
    const issuer = issuerOf();
    await expect(issuer.current()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([unavailable]);
  });

  it('a copy younger than an hour is used, with a warning', async () => {
    const issuer = await unreachableFor(hour - 0.001);
    expect(await issuer.current()).toEqual(['old']);
    expect(issuer.log.entries).toEqual([refreshFailed(3600)]);
  });

  it('a copy of an hour is not used', async () => {
    const issuer = await unreachableFor(hour);
    await expect(issuer.current()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([unavailable]);
  });

  it('the age of a copy counts from its own fetch, whatever fetches failed later', async () => {
    const issuer = await unreachableFor(0);
    for (let elapsed = 0; elapsed < hour - 15 * minute; elapsed += 15 * minute) {
      issuer.passSeconds(15 * minute);
      await issuer.current();
    }
    issuer.passSeconds(15 * minute);
    await expect(issuer.current()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([...[900, 1800, 2700].map(refreshFailed), unavailable]);
  });

  it('a token that the copy does not explain cannot be decided', async () => {
    const issuer = await unreachableFor(minute);
    await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([refreshFailed(60)]);
  });

  it.each([
    ['a copy', minute, oldKey],
    ['no copy', 0, undefined],
  ])('the next fetch waits a second, with %s', async (_, seconds, key) => {
    const issuer = key === undefined ? issuerOf() : await unreachableFor(seconds);
    const before = issuer.fetches;
    await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
    issuer.response = jwksOf(newKey);
    issuer.passSeconds(0.999);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
    }
    expect(issuer.fetches).toBe(before + 1);
    expect(issuer.log.entries).toHaveLength(1);
    issuer.passSeconds(0.001);
    expect(await issuer.latest()).toEqual(['new']);
  });

  it('an old copy is used without a fetch for each token', async () => {
    const issuer = await unreachableFor(10 * minute);
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await issuer.current()).toEqual(['old']);
    expect(issuer.fetches).toBe(2);
    issuer.passSeconds(1);
    await issuer.current();
    expect(issuer.fetches).toBe(3);
    expect(issuer.log.entries).toHaveLength(2);
  });

  it('a clock that is set back does not stop the next fetch', async () => {
    const issuer = await unreachableFor(minute);
    await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
    issuer.passSeconds(-hour);
    expect(await issuer.current()).toEqual(['old']);
    issuer.passSeconds(-1);
    issuer.response = jwksOf(newKey);
    expect(await issuer.latest()).toEqual(['new']);
  });

  it('the log contains the system code of the cause', async () => {
    const log = recordingLog();
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const jwks = cachedJwks({
      algorithms: ['ES256'],
      fetchJwks: () => Promise.reject(refused),
      now: () => 0,
      log,
    });
    await expect(jwks.current()).rejects.toMatchObject({
      name: 'JwksUnavailable',
      message: 'The key set of the issuer is not available.',
      cause: refused,
    });
    expect(log.entries).toEqual([['error', { event: 'key-set-unavailable', cause: 'ECONNREFUSED' }]]);
  });
});

describe.each<[string, JsonObject, string]>([
  ['that is no key set', {}, 'NoKeySet'],
  ['without keys', { keys: [] }, 'NoUsableKey'],
])('a response %s', (_, response, reason) => {
  it('is a failed fetch', async () => {
    const issuer = issuerOf();
    issuer.response = response;
    await expect(issuer.current()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([['error', { event: 'key-set-unavailable', cause: reason }]]);
  });

  it('does not replace a younger copy', async () => {
    const issuer = await cachedIssuer(oldKey);
    issuer.response = response;
    issuer.passSeconds(10 * minute);
    expect(await issuer.current()).toEqual(['old']);
    await expect(issuer.latest()).rejects.toThrow(JwksUnavailable);
    expect(issuer.log.entries).toEqual([
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 600, cause: reason }],
    ]);
  });
});
