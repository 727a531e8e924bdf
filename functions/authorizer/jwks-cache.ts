import type { CryptoKey, JWK, JWSHeaderParameters } from 'jose';
import { JWKSMultipleMatchingKeys } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { errorName } from '../runtime/error-name.ts';
import { isJsonObject } from '../runtime/json-object.ts';
import type { AuthorizerLogEntry, Log } from '../runtime/log-events.ts';
import { fetchDeadline, jwksError } from './fetch-jwks.ts';

/** Finds the keys that can have signed a token, by its header: eight at most. */
export type KeySet = (header: JWSHeaderParameters) => Promise<readonly CryptoKey[]>;

interface JwksDependencies {
  /** The algorithms of the stage: a key set without a key for them cannot be used. */
  readonly algorithms: readonly string[];
  /** Fetches the text of the issuer's key set; rejects when it cannot. */
  readonly fetchJwks: () => Promise<string>;
  readonly now: () => number;
  readonly log: Log<AuthorizerLogEntry>;
}

/** A cache of the issuer's keys. `current` and `latest` throw JwksUnavailable without keys so recent. */
export interface JwksCache {
  /** The keys of a fetch in the last ten minutes or, while fetches fail or are slow, in the last hour. */
  readonly current: () => Promise<KeySet>;
  /** The keys of a fetch in the last five seconds, for a token that none of the current keys verifies. */
  readonly latest: () => Promise<KeySet>;
  /** Fetches the first copy, before the first request. A failure starts no retry pause. */
  readonly preload: () => Promise<KeySet>;
}

const second = 1000;
/** Until this age no token causes another fetch, so that made-up key ids cannot flood the issuer. */
const latestAge = 5 * second;
/** The age at which a copy is refetched: the longest that a revoked key is trusted if fetches are fast. */
const refreshAge = 600 * second;
/** The age from which a copy is unusable: the longest that a revoked key is trusted. */
const maxAge = 3600 * second;
/**
 * The longest that a refresh by age delays a decision, in milliseconds. An environment serves one request at
 * a time: if decisions waited for an issuer that hangs, Lambda would start environments, which have no copy.
 */
const refreshWait = 300;
/** The pause after a failed fetch before a fetch that a decision needs. */
const retryPause = second;
/** The pause after a failed fetch before a refresh by age. */
const refreshPause = 30 * second;
/** A fetch in progress for longer shows that Lambda froze the environment. */
const frozenAge = 2 * fetchDeadline;
/** Bounds the cost of one token, however large the key set is. */
const maxKeys = 8;

/** No decision is possible: the key set cannot be fetched, and no recent copy verifies the token. */
export class JwksUnavailable extends Error {
  override readonly name = 'JwksUnavailable';

  constructor(options?: ErrorOptions) {
    super('The key set of the issuer is not available.', options);
  }
}

/** A fetch in progress. */
interface Fetch {
  readonly startedAt: number;
  readonly keySet: Promise<KeySet>;
  /** Resolves at the end of the fetch, also if it fails, and at the latest `refreshWait` after its start. */
  readonly waited: Promise<unknown>;
}

/**
 * A cache of the issuer's keys, which lasts as long as the execution environment. Lambda freezes an
 * environment between requests, so a fetch that outlasts a decision continues during later ones.
 */
export const jwksCache = ({ fetchJwks, algorithms, now, log }: JwksDependencies): JwksCache => {
  let copy: KeySet | undefined;
  let fetchedAt = -Infinity;
  let failedAt = -Infinity;
  let inProgress: Fetch | undefined;
  let wasInterrupted = false;

  /** Whether `time` is less than `age` ago; future times are not, because the clock can step back. */
  const isRecent = (time: number, age: number): boolean => {
    const elapsed = now() - time;
    return elapsed >= 0 && elapsed < age;
  };
  const copyYoungerThan = (age: number): KeySet | undefined => (isRecent(fetchedAt, age) ? copy : undefined);

  const preload = async (startedAt = now()): Promise<KeySet> => {
    copy = await parseKeySet(await fetchJwks(), algorithms);
    // Not the present time: during a freeze, the response can wait to be read.
    fetchedAt = startedAt;
    wasInterrupted = false;
    return copy;
  };

  const refresh = async (startedAt: number): Promise<KeySet> => {
    try {
      return await preload(startedAt);
    } catch (error) {
      // A freeze can end the connection of one fetch; the issuer is to blame when the next one fails too.
      wasInterrupted = !wasInterrupted && !isRecent(startedAt, frozenAge);
      if (!wasInterrupted) {
        failedAt = now();
        const cause = errorName(error);
        const ageSeconds = Math.round((failedAt - fetchedAt) / second);
        // Lambda's log line for a thrown error omits its cause.
        if (copyYoungerThan(maxAge) === undefined) log.error({ event: 'key-set-unavailable', cause });
        else log.warn({ event: 'key-set-refresh-failed', ageSeconds, cause });
      }
      throw new JwksUnavailable({ cause: error });
    } finally {
      inProgress = undefined;
    }
  };

  const startFetch = (): Fetch => {
    const startedAt = now();
    const keySet = refresh(startedAt);
    return { startedAt, keySet, waited: settledWithin(refreshWait, keySet) };
  };

  /** Waits for the fetch in progress and, unless it yields a copy younger than this age, for a new one. */
  const fetchYoungerThan = async (age: number): Promise<KeySet> => {
    await inProgress?.keySet.catch(() => undefined);
    const fetched = copyYoungerThan(age);
    if (fetched !== undefined) return fetched;
    if (isRecent(failedAt, retryPause)) throw new JwksUnavailable();
    inProgress ??= startFetch();
    return inProgress.keySet;
  };

  /** Waits for a fetch until `refreshWait` after its start, or from now if it was frozen. */
  const waitForRefresh = async (): Promise<void> => {
    inProgress ??= startFetch();
    const { startedAt, waited, keySet } = inProgress;
    await (isRecent(startedAt, frozenAge) ? waited : settledWithin(refreshWait, keySet));
  };

  return {
    current: async () => {
      const young = copyYoungerThan(refreshAge);
      if (young !== undefined) return young;
      if (copyYoungerThan(maxAge) !== undefined && !isRecent(failedAt, refreshPause)) await waitForRefresh();
      return copyYoungerThan(maxAge) ?? fetchYoungerThan(maxAge);
    },
    latest: async () => copyYoungerThan(latestAge) ?? fetchYoungerThan(latestAge),
    preload: () => preload(),
  };
};

/** Waits until a promise settles, but no longer than so many milliseconds. It never rejects. */
const settledWithin = (milliseconds: number, promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, milliseconds))]);

/** @throws {Error} unless a key set (RFC 7517 section 5) has a key for one of the algorithms */
const parseKeySet = async (text: string, algorithms: readonly string[]): Promise<KeySet> => {
  const response: unknown = JSON.parse(text);
  if (!isJsonObject(response) || !Array.isArray(response['keys'])) throw jwksError('NoKeySet');
  // jose checks their parameters.
  const keys = response['keys'].filter((key: unknown): key is JWK => isJsonObject(key));
  const matching = createLocalJWKSet({ keys });
  const keySet: KeySet = async (header) => {
    const found: CryptoKey[] = [];
    for await (const key of candidates(matching, header)) {
      if (!isWeak(key)) found.push(key);
      if (found.length === maxKeys) break;
    }
    return found;
  };
  const usable = await Promise.all(algorithms.map((alg) => keySet({ alg })));
  if (usable.flat().length === 0) throw jwksError('NoUsableKey');
  return keySet;
};

/** The keys that fit a header, without malformed ones. */
const candidates = async function* (
  matching: ReturnType<typeof createLocalJWKSet>,
  header: JWSHeaderParameters,
): AsyncGenerator<CryptoKey> {
  try {
    yield await matching(header);
  } catch (error) {
    // Any other error means that there is none.
    if (error instanceof JWKSMultipleMatchingKeys) yield* error;
  }
};

/** RFC 7518 section 3.3. jose throws a TypeError for a weak key, as a fault in this code would. */
const isWeak = ({ algorithm }: CryptoKey): boolean =>
  'modulusLength' in algorithm && Number(algorithm.modulusLength) < 2048;
