import { errorName } from '../runtime/error-name.ts';
import type { Log } from '../runtime/log-events.ts';
import { fetchDeadline } from './fetch-jwks.ts';
import { type KeySet, parseKeySet } from './key-set.ts';
import type { AuthorizerLogEntry } from './log-events.ts';

interface JwksCacheDependencies {
  /** The stage's algorithms. A key set without a key for any of them counts as a failed fetch. */
  readonly algorithms: readonly string[];
  /** Fetches the text of the issuer's key set. */
  readonly fetchJwks: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log<AuthorizerLogEntry>;
}

/** A copy of the issuer's key set. `current` and `latest` throw JwksUnavailable without a recent copy. */
export interface JwksCache {
  /** The keys of the last ten minutes or, while fetches fail or are slow, of the last hour. */
  readonly current: () => Promise<KeySet>;
  /** The keys of the last five seconds, for a token that none of the current keys verifies. */
  readonly latest: () => Promise<KeySet>;
  /** Fetches the first copy, before the first request. A failure starts no retry pause. */
  readonly preload: () => Promise<KeySet>;
}

const second = 1000;
/** An unknown key causes no fetch below this age, so that made-up key ids cannot flood the issuer. */
const latestAge = 5 * second;
/**
 * A copy is fetched again from this age on, so a revoked key is trusted for at most 10 minutes, unless
 * fetches fail or are slow.
 */
const refreshAge = 600 * second;
/** A copy is unusable from this age on, so a revoked key is trusted for at most an hour in any case. */
const maxAge = 3600 * second;
/**
 * The longest that a refresh delays a decision while the copy is usable. If decisions waited for an issuer
 * that hangs, all environments would be busy, and Lambda would start new ones, which have no copy.
 */
const refreshWait = 300;
/** For this long after a failed fetch, decisions with a usable copy do not refresh it. */
const refreshPause = 30 * second;
/** For this long after a failed fetch, decisions that need a newer copy fail at once. */
const retryPause = second;
/**
 * A fetch that is in progress for longer than this, twice its deadline, shows that Lambda froze the
 * environment.
 */
const frozenAge = 2 * fetchDeadline;

/** No decision is possible, because the key set cannot be fetched, and no recent copy verifies the token. */
export class JwksUnavailable extends Error {
  override readonly name = 'JwksUnavailable';

  constructor(options?: ErrorOptions) {
    super('The key set of the issuer is not available.', options);
  }
}

/**
 * A cache of the issuer's key set, which lasts as long as the execution environment. Lambda freezes an
 * environment between requests, so a fetch that outlasts a decision continues during later decisions.
 *
 * The age of the copy decides what `current` does:
 *
 * - Below 10 minutes, it returns the copy.
 * - From 10 to 60 minutes, it starts a refresh, waits for 300 ms at most, and returns the new copy or, if the
 *   fetch is slower or fails, the old one. For 30 s after a failed fetch, it starts no refresh.
 * - From 60 minutes on, it fetches, and waits for the new copy. It throws if the fetch fails, and at once for
 *   1 s after a failed fetch.
 *
 * `latest` returns the copy below 5 s. From 5 s on, it fetches as `current` does from 60 minutes on.
 */
export const jwksCache = ({ algorithms, fetchJwks, now, log }: JwksCacheDependencies): JwksCache => {
  let copy: { readonly keySet: KeySet; readonly fetchedAt: number } | undefined;
  let lastFailureAt = -Infinity;
  /** Shared by decisions: set by the first that needs a fetch, and cleared by `refresh` when it ends. */
  let fetchInProgress: Promise<KeySet> | undefined;
  let lastRequestAt = -Infinity;

  /** Whether `time` is less than `age` ago; future times are not, because the clock can step back. */
  const isRecent = (time: number, age: number): boolean => {
    const elapsed = now() - time;
    return elapsed >= 0 && elapsed < age;
  };
  const copyYoungerThan = (age: number): KeySet | undefined =>
    copy !== undefined && isRecent(copy.fetchedAt, age) ? copy.keySet : undefined;
  /** Whether Lambda froze the environment during the fetch in progress. */
  const wasFrozen = (): boolean => !isRecent(lastRequestAt, frozenAge);

  const fetchCopy = async (): Promise<KeySet> => {
    lastRequestAt = now();
    // A copy is as old as its request, because the response may be read only after a freeze.
    const fetchedAt = lastRequestAt;
    const keySet = await parseKeySet(await fetchJwks(), algorithms);
    copy = { keySet, fetchedAt };
    return keySet;
  };

  /**
   * Fetches again at once after a freeze, because a freeze can end a connection without a fault of the
   * issuer.
   */
  const fetchCopyDespiteFreeze = (): Promise<KeySet> =>
    fetchCopy().catch((error: unknown) => {
      if (wasFrozen()) return fetchCopy();
      throw error;
    });

  const refresh = async (): Promise<KeySet> => {
    try {
      return await fetchCopyDespiteFreeze();
    } catch (error) {
      lastFailureAt = now();
      logFailure(errorName(error));
      throw new JwksUnavailable({ cause: error });
    } finally {
      fetchInProgress = undefined;
    }
  };

  /** Logs the cause of a failed fetch, which Lambda's own log line for a thrown error omits. */
  const logFailure = (cause: string): void => {
    if (copy !== undefined && isRecent(copy.fetchedAt, maxAge)) {
      const ageSeconds = Math.round((now() - copy.fetchedAt) / second);
      log.warn({ event: 'key-set-refresh-failed', ageSeconds, cause });
    } else log.error({ event: 'key-set-unavailable', cause });
  };

  /**
   * For a stale copy: waits for a refresh at most 300 ms from its start or, after a freeze, at most 300 ms
   * from now.
   */
  const waitForRefresh = async (): Promise<void> => {
    fetchInProgress ??= refresh();
    const waited = wasFrozen() ? 0 : now() - lastRequestAt;
    await settledWithin(refreshWait - waited, fetchInProgress);
  };

  /**
   * For a copy that is too old: waits for the fetch in progress and returns its copy. If that fetch fails or
   * its copy is too old, waits for a new fetch.
   */
  const fetchYoungerThan = async (age: number): Promise<KeySet> => {
    await fetchInProgress?.catch(() => undefined);
    const fetched = copyYoungerThan(age);
    if (fetched !== undefined) return fetched;
    if (isRecent(lastFailureAt, retryPause)) throw new JwksUnavailable();
    fetchInProgress ??= refresh();
    return fetchInProgress;
  };

  return {
    current: async () => {
      const fresh = copyYoungerThan(refreshAge);
      if (fresh !== undefined) return fresh;
      const isUsable = copyYoungerThan(maxAge) !== undefined;
      if (isUsable && !isRecent(lastFailureAt, refreshPause)) await waitForRefresh();
      // During the wait, the copy may have been replaced, or may have become too old.
      return copyYoungerThan(maxAge) ?? fetchYoungerThan(maxAge);
    },
    latest: async () => copyYoungerThan(latestAge) ?? fetchYoungerThan(latestAge),
    preload: fetchCopy,
  };
};

/** Waits until a promise settles or this time has passed. Never rejects, even if the promise does. */
const settledWithin = (milliseconds: number, promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, milliseconds))]);
