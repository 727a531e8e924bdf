import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchDeadline } from '../../../functions/authorizer/fetch-jwks.ts';
import { type JwksCache, jwksCache, JwksUnavailable } from '../../../functions/authorizer/jwks-cache.ts';
import type { KeySet } from '../../../functions/authorizer/key-set.ts';
import { type RecordingLog, recordingLog } from '../../support/recording-log.ts';
import { ecKey } from '../../support/signing-keys.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const keys = Array.from({ length: 4 }, (_, version) => ecKey(String(version)));

/** The key sets that the issuer publishes one after the other, with one key each. */
const keySetOf = (version: number): string =>
  JSON.stringify({ keys: keys.slice(version, version + 1).map(({ jwk }) => jwk) });
const isTrusted = async (keySet: KeySet, version: number): Promise<boolean> =>
  (await keySet.candidates({ alg: 'ES256', kid: String(version) })).length > 0;

const coded = (code: string): Error => Object.assign(new Error('secret'), { code });

/** An issuer that responds to a fetch after `latency`. A fetch fails if it reaches its deadline. */
interface FakeIssuer {
  version: number;
  latency: number;
  isDown: boolean;
  fetches: number;
  /** When the last fetch that succeeded was started. */
  fetchedAt: number;
  inProgress: number;
  mostInProgress: number;
  readonly fetchJwks: () => Promise<string>;
}

const startIssuer = (): FakeIssuer => {
  const issuer: FakeIssuer = {
    version: 0,
    latency: 0,
    isDown: false,
    fetches: 0,
    fetchedAt: -Infinity,
    inProgress: 0,
    mostInProgress: 0,
    fetchJwks: async () => {
      issuer.fetches += 1;
      issuer.inProgress += 1;
      issuer.mostInProgress = Math.max(issuer.mostInProgress, issuer.inProgress);
      const { latency, isDown } = issuer;
      const startedAt = Date.now();
      try {
        await new Promise((resolve) => setTimeout(resolve, Math.min(latency, fetchDeadline)));
        if (isDown) throw coded('ECONNREFUSED');
        if (latency >= fetchDeadline) throw coded('ABORT_ERR');
        issuer.fetchedAt = startedAt;
        return keySetOf(issuer.version);
      } finally {
        issuer.inProgress -= 1;
      }
    },
  };
  return issuer;
};

const cacheOf = (fetchJwks: () => Promise<string>, log: RecordingLog = recordingLog()): JwksCache =>
  jwksCache({ algorithms: ['ES256'], fetchJwks, now: () => Date.now(), log });

/** Runs the timers until a promise settles. Returns the milliseconds that passed, and the promise's value. */
const timed = async <Value>(start: () => Promise<Value>): Promise<readonly [number, Value]> => {
  const startedAt = Date.now();
  const result = start().then((value): readonly [number, Value] => [Date.now() - startedAt, value]);
  const state = { isSettled: false };
  const settle = (): void => {
    state.isSettled = true;
  };
  result.then(settle, settle);
  await vi.advanceTimersByTimeAsync(0);
  while (!state.isSettled) await vi.advanceTimersToNextTimerAsync();
  return result;
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A cache with a copy that is ten minutes old, so that the next decision causes a refresh. */
const startWithOldCopy = async () => {
  const issuer = startIssuer();
  const log = recordingLog();
  const cache = cacheOf(() => issuer.fetchJwks(), log);
  await timed(cache.preload);
  await vi.advanceTimersByTimeAsync(10 * minute);
  issuer.version = 1;
  return { issuer, cache, log };
};

describe('a decision with a copy that is ten minutes old', () => {
  it.each([
    [0, 0, 'new'],
    [299, 299, 'new'],
    [301, 300, 'old'],
    [1999, 300, 'old'],
    [Infinity, 300, 'old'],
  ])('for a key set that takes %d ms, waits %d ms and uses the %s keys', async (latency, wait, used) => {
    const { issuer, cache } = await startWithOldCopy();
    issuer.latency = latency;
    const [took, keySet] = await timed(cache.current);
    expect([took, await isTrusted(keySet, 1)]).toEqual([wait, used === 'new']);
  });

  it('shares the fetch of an earlier decision, and does not wait once the fetch is 300 ms old', async () => {
    const { issuer, cache, log } = await startWithOldCopy();
    issuer.latency = 400;
    await timed(cache.current);
    const [took, old] = await timed(cache.current);
    expect([took, await isTrusted(old, 0)]).toEqual([0, true]);
    await vi.advanceTimersByTimeAsync(100);
    const [, latest] = await timed(cache.current);
    expect([await isTrusted(latest, 1), issuer.fetches, log.entries]).toEqual([true, 2, []]);
  });

  it('starts no refresh in the 30 s after a failed refresh, and logs each failure once', async () => {
    const { issuer, cache, log } = await startWithOldCopy();
    issuer.latency = Infinity;
    await timed(cache.current);
    await vi.advanceTimersByTimeAsync(fetchDeadline - 300 + 29_999);
    expect([(await timed(cache.current))[0], issuer.fetches]).toEqual([0, 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect([(await timed(cache.current))[0], issuer.fetches]).toEqual([300, 3]);
    expect(log.entries).toEqual([
      ['warn', { event: 'key-set-refresh-failed', ageSeconds: 602, cause: 'ABORT_ERR' }],
    ]);
  });

  it('waits for the fetch in progress, and uses its keys, if the copy lacks the token’s key', async () => {
    const { issuer, cache } = await startWithOldCopy();
    issuer.latency = 1500;
    await timed(cache.current);
    const [took, keySet] = await timed(cache.latest);
    expect([took, await isTrusted(keySet, 1), issuer.fetches]).toEqual([1200, true, 2]);
  });

  it('fails for a second after the fetch in progress fails, if the copy lacks the token’s key', async () => {
    const { issuer, cache } = await startWithOldCopy();
    issuer.latency = Infinity;
    await timed(cache.current);
    await expect(timed(cache.latest)).rejects.toThrow(JwksUnavailable);
    issuer.latency = 0;
    await vi.advanceTimersByTimeAsync(second - 1);
    await expect(timed(cache.latest)).rejects.toThrow(JwksUnavailable);
    expect(issuer.fetches).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    const [, keySet] = await timed(cache.latest);
    expect(await isTrusted(keySet, 1)).toBe(true);
  });
});

it('a decision uses the fetched keys if the copy becomes an hour old during its wait', async () => {
  const { issuer, cache } = await startWithOldCopy();
  await vi.advanceTimersByTimeAsync(50 * minute - 100);
  issuer.latency = 1000;
  const [took, keySet] = await timed(cache.current);
  expect([took, await isTrusted(keySet, 0)]).toEqual([1000, false]);
});

describe('a fetch during which Lambda freezes the environment', () => {
  const refreshFailed = { event: 'key-set-refresh-failed', cause: 'ECONNRESET' };
  /**
   * A cache with a copy that is ten minutes old. `fetches[n]` settles the fetch number n; 0 is the preload.
   */
  const startWithOpenFetches = async () => {
    const fetches: PromiseWithResolvers<string>[] = [];
    const log = recordingLog();
    const cache = cacheOf(() => {
      const fetch = Promise.withResolvers<string>();
      fetches.push(fetch);
      return fetch.promise;
    }, log);
    const preloaded = cache.preload();
    fetches[0]?.resolve(keySetOf(0));
    await preloaded;
    await vi.advanceTimersByTimeAsync(10 * minute);
    return { fetches, log, cache };
  };
  /** Lets time pass without timers, then settles a fetch, as when Lambda thaws the environment. */
  const freeze = async (milliseconds: number, settleFetch?: () => void): Promise<void> => {
    vi.setSystemTime(Date.now() + milliseconds);
    settleFetch?.();
    await vi.advanceTimersByTimeAsync(0);
  };

  it('is repeated once if its connection is lost, and fails if the connection is lost again', async () => {
    const { fetches, log, cache } = await startWithOpenFetches();
    for (const number of [1, 2]) {
      expect((await timed(cache.current))[0]).toBe(300);
      await freeze(minute, () => fetches[number]?.reject(coded('ECONNRESET')));
    }
    expect((await timed(cache.current))[0]).toBe(0);
    expect([fetches.length, log.entries]).toEqual([3, [['warn', { ...refreshFailed, ageSeconds: 721 }]]]);
  });

  it('is repeated if its connection is lost, also after an earlier repetition that succeeded', async () => {
    const { fetches, log, cache } = await startWithOpenFetches();
    for (const number of [1, 3]) {
      await timed(cache.current);
      await freeze(minute, () => fetches[number]?.reject(coded('ECONNRESET')));
      await timed(() => {
        const decided = cache.current();
        fetches[number + 1]?.resolve(keySetOf(1));
        return decided;
      });
      await vi.advanceTimersByTimeAsync(10 * minute);
    }
    expect([fetches.length, log.entries]).toEqual([5, []]);
  });

  it('is repeated at once, and delays decisions until 300 ms after the repetition begins', async () => {
    const { fetches, cache } = await startWithOpenFetches();
    await timed(cache.current);
    await freeze(minute, () => fetches[1]?.reject(coded('ECONNRESET')));
    expect((await timed(cache.current))[0]).toBe(300);
    expect((await timed(cache.current))[0]).toBe(0);
    fetches[2]?.resolve(keySetOf(1));
    const [took, keySet] = await timed(cache.current);
    expect([took, await isTrusted(keySet, 1), fetches.length]).toEqual([0, true, 3]);
  });

  it('is waited for again after the freeze, so that a response that arrived meanwhile is used', async () => {
    const { fetches, cache } = await startWithOpenFetches();
    await timed(cache.current);
    await freeze(minute);
    const [took, keySet] = await timed(() => {
      const decided = cache.current();
      setTimeout(() => fetches[1]?.resolve(keySetOf(1)), 5);
      return decided;
    });
    expect([took, await isTrusted(keySet, 1), fetches.length]).toEqual([5, true, 2]);
  });

  it('yields keys that are as old as its request, so they are unusable an hour after it', async () => {
    const { fetches, cache } = await startWithOpenFetches();
    await timed(cache.current);
    await freeze(20 * minute, () => fetches[1]?.resolve(keySetOf(1)));
    const [took, keySet] = await timed(cache.current);
    expect([took, await isTrusted(keySet, 1), fetches.length]).toEqual([300, true, 3]);
    // Fetch 1 was requested 20 min + 600 ms ago, so after 40 min − 600 ms more its keys are an hour old.
    await freeze(40 * minute - 600, () => fetches[2]?.reject(coded('ECONNRESET')));
    const [, lastKeySet] = await timed(() => {
      const decided = cache.current();
      setTimeout(() => fetches[3]?.resolve(keySetOf(2)), 5);
      return decided;
    });
    expect([await isTrusted(lastKeySet, 1), fetches.length]).toEqual([false, 4]);
  });

  it('is followed by a second fetch for a decision that needs keys of the last five seconds', async () => {
    const { fetches, cache } = await startWithOpenFetches();
    await timed(cache.current);
    await freeze(minute);
    const [, keySet] = await timed(() => {
      const decided = cache.latest();
      fetches[1]?.resolve(keySetOf(1));
      setTimeout(() => fetches[2]?.resolve(keySetOf(2)), 5);
      return decided;
    });
    expect([await isTrusted(keySet, 2), fetches.length]).toEqual([true, 3]);
  });
});

it('five decisions a second need no fourth environment with a copy while the issuer hangs', async () => {
  const environmentWith = (issuer: FakeIssuer) => ({
    cache: cacheOf(() => issuer.fetchJwks()),
    isBusy: false,
  });
  const issuer = startIssuer();
  const environments = [1, 2, 3].map(() => environmentWith(issuer));
  for (const { cache } of environments) await timed(cache.preload);
  await vi.advanceTimersByTimeAsync(10 * minute);
  issuer.latency = Infinity;
  const outcomes = { decided: 0, undecided: 0 };
  const decisions: Promise<void>[] = [];
  // An environment makes one decision at a time. If all are busy, Lambda starts a new one.
  for (let count = 0; count < 400; count += 1) {
    const idle = environments.find(({ isBusy }) => !isBusy);
    const environment = idle ?? environmentWith(issuer);
    if (idle === undefined) environments.push(environment);
    environment.isBusy = true;
    const ready = idle === undefined ? environment.cache.preload().catch(() => undefined) : Promise.resolve();
    const decided = ready.then(environment.cache.current).then(
      () => 'decided' as const,
      () => 'undecided' as const,
    );
    decisions.push(
      decided.then((outcome) => {
        outcomes[outcome] += 1;
        environment.isBusy = false;
      }),
    );
    await vi.advanceTimersByTimeAsync(200);
  }
  await vi.advanceTimersByTimeAsync(2 * fetchDeadline);
  await Promise.all(decisions);
  expect([outcomes, environments.length]).toEqual([{ decided: 400, undecided: 0 }, 3]);
});

// Property: whatever happens between decisions, a withdrawn key is trusted for less than an hour, and
// decisions succeed for an hour after a fetch that succeeded.

/** A step: time elapses, with or without a freeze, the issuer changes, and a decision is made. */
const step = fc.record({
  elapsed: fc
    .constantFrom(0, 0.2, 1, 3, 30, 300, 599, 600, 1800, 3599, 3600)
    .map((seconds) => seconds * second),
  isFrozen: fc.boolean(),
  rotates: fc.boolean(),
  isDown: fc.boolean(),
  latency: fc.constantFrom(0, 0, 299, 301, 1999, Infinity),
  hasUnknownKey: fc.boolean(),
});

it('trusts a withdrawn key for less than an hour, and decides for an hour after a fetch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 24 }), async (steps) => {
      const issuer = startIssuer();
      const cache = cacheOf(() => issuer.fetchJwks());
      const withdrawnAt = new Map<number, number>();
      for (const { elapsed, isFrozen, rotates, isDown, latency, hasUnknownKey } of steps) {
        if (isFrozen) vi.setSystemTime(Date.now() + elapsed);
        else await vi.advanceTimersByTimeAsync(elapsed);
        if (rotates && issuer.version + 1 < keys.length) {
          withdrawnAt.set(issuer.version, Date.now());
          issuer.version += 1;
        }
        Object.assign(issuer, { isDown, latency });
        const startedAt = Date.now();
        const decision = await timed(hasUnknownKey ? cache.latest : cache.current).then(
          ([took, keySet]) => ({ endedAt: startedAt + took, keySet }),
          () => undefined,
        );
        for (const [version, time] of withdrawnAt)
          if (decision !== undefined && (await isTrusted(decision.keySet, version)))
            expect(decision.endedAt - time).toBeLessThan(hour);
        if (decision === undefined && !hasUnknownKey)
          expect(startedAt - issuer.fetchedAt).toBeGreaterThanOrEqual(hour - fetchDeadline);
        expect(issuer.mostInProgress).toBe(1);
      }
      // Lets the fetch in progress end.
      await vi.advanceTimersByTimeAsync(2 * fetchDeadline);
    }),
    { numRuns: 200 },
  );
});
