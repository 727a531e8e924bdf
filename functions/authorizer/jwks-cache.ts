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
/** The age from which an unknown key causes a fetch, so that made-up key ids cannot flood the issuer. */
const latestAge = 5 * second;
/** The age at which a copy is fetched again: the longest that a revoked key is trusted if fetches succeed. */
const refreshAge = 600 * second;
/** The age at which a copy becomes unusable: the longest that a revoked key is trusted. */
const maxAge = 3600 * second;
/**
 * The longest that a refresh delays a decision while the copy is usable. An environment serves one request at
 * a time: if decisions waited for an issuer that hangs, Lambda would start environments, which have no copy.
 */
const refreshWait = 300;
/** The pause after a failed fetch before a refresh, while the copy is usable. */
const refreshPause = 30 * second;
/** The pause after a failed fetch before a fetch without which no decision is possible. */
const retryPause = second;
/** A fetch in progress for longer, twice its deadline, shows that Lambda froze the environment. */
const frozenAge = 2 * fetchDeadline;

/** No decision is possible: the key set cannot be fetched, and no recent copy verifies the token. */
export class JwksUnavailable extends Error {
  override readonly name = 'JwksUnavailable';

  constructor(options?: ErrorOptions) {
    super('The key set of the issuer is not available.', options);
  }
}

/**
 * A cache of the issuer's key set, which lasts as long as the execution environment. Lambda freezes an
 * environment between requests, so a fetch that outlasts a decision continues during later decisions.
 */
export const jwksCache = ({ algorithms, fetchJwks, now, log }: JwksCacheDependencies): JwksCache => {
  let copy: { readonly keySet: KeySet; readonly fetchedAt: number } | undefined;
  let failedAt = -Infinity;
  let fetchInProgress: Promise<KeySet> | undefined;
  let requestedAt = -Infinity;

  /** Whether `time` is less than `age` ago; future times are not, because the clock can step back. */
  const isRecent = (time: number, age: number): boolean => {
    const elapsed = now() - time;
    return elapsed >= 0 && elapsed < age;
  };
  const copyYoungerThan = (age: number): KeySet | undefined =>
    copy !== undefined && isRecent(copy.fetchedAt, age) ? copy.keySet : undefined;
  /** Whether Lambda froze the environment during the fetch in progress. */
  const wasFrozen = (): boolean => !isRecent(requestedAt, frozenAge);

  const fetchCopy = async (): Promise<KeySet> => {
    requestedAt = now();
    // A copy is as old as its request, because the response may be read only after a freeze.
    const fetchedAt = requestedAt;
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
      failedAt = now();
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

  /** Waits for a refresh until 300 ms after its request or, after a freeze, for another 300 ms. */
  const waitForRefresh = async (): Promise<void> => {
    fetchInProgress ??= refresh();
    const waited = wasFrozen() ? 0 : now() - requestedAt;
    await settledWithin(refreshWait - waited, fetchInProgress);
  };

  /** Waits for the fetch in progress and, unless it yields a copy younger than this age, for a new one. */
  const fetchYoungerThan = async (age: number): Promise<KeySet> => {
    await fetchInProgress?.catch(() => undefined);
    const fetched = copyYoungerThan(age);
    if (fetched !== undefined) return fetched;
    if (isRecent(failedAt, retryPause)) throw new JwksUnavailable();
    fetchInProgress ??= refresh();
    return fetchInProgress;
  };

  return {
    current: async () => {
      const fresh = copyYoungerThan(refreshAge);
      if (fresh !== undefined) return fresh;
      if (copyYoungerThan(maxAge) !== undefined && !isRecent(failedAt, refreshPause)) await waitForRefresh();
      // During the wait, the copy may have been replaced, or may have become too old.
      return copyYoungerThan(maxAge) ?? fetchYoungerThan(maxAge);
    },
    latest: async () => copyYoungerThan(latestAge) ?? fetchYoungerThan(latestAge),
    preload: fetchCopy,
  };
};

/** Waits until a promise settles, but no longer than so many milliseconds. It never rejects. */
const settledWithin = (milliseconds: number, promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, milliseconds))]);
