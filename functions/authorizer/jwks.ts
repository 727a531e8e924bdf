import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { errorText } from '../shared/errors.ts';
import { type JsonObject, parseJsonObject } from '../shared/json-object.ts';
import type { AuthorizerLogEntry, Log } from '../shared/log-events.ts';
import { type Algorithm, jwksError, type KeySet, parseKeySet } from './key-set.ts';

interface JwksDependencies {
  /** The algorithms of the stage: a key set without a key for them cannot be used. */
  readonly algorithms: readonly Algorithm[];
  /** Fetches the issuer's key set; rejects when it cannot. */
  readonly fetchJwks: () => Promise<JsonObject>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log<AuthorizerLogEntry>;
}

/** A cache of the issuer's keys. */
export interface JwksCache {
  /**
   * The keys of a fetch in the last ten minutes or, while fetches fail, in the last hour.
   * @throws {JwksUnavailable} when fetching fails and no keys that recent are cached
   */
  readonly current: () => Promise<KeySet>;
  /**
   * The keys of a fetch in the last five seconds, for a token that none of the current keys verifies.
   * @throws {JwksUnavailable} when they cannot be fetched
   */
  readonly latest: () => Promise<KeySet>;
  /** Fetches the first copy, before the first request. On failure it rejects and starts no retry pause. */
  readonly preload: () => Promise<KeySet>;
}

const second = 1000;
/** In milliseconds: well within the authorizer's timeout of 5 s, also at its share of a processor. */
export const fetchDeadline = 2 * second;
/** Until this age no token causes another fetch, so that made-up key ids cannot flood the issuer. */
const latestAge = 5 * second;
/** The age at which a copy is refetched: the longest that a revoked key is trusted while fetches succeed. */
const refreshAge = 600 * second;
/** The age from which a copy is unusable: the longest that a revoked key is trusted while fetches fail. */
const maxAge = 3600 * second;
/** The pause after a failed fetch. */
const retryPause = second;
const maxBytes = 512 * 1024;

/** No decision is possible: the key set cannot be fetched, and no recent copy verifies the token. */
export class JwksUnavailable extends Error {
  override readonly name = 'JwksUnavailable';
  /** There is a copy, and none of its keys verifies the token, so the token may be at fault. */
  readonly reason: 'unknown-key' | undefined;

  constructor(hasCopy: boolean, cause?: unknown) {
    super('The key set of the issuer is not available.', { cause });
    this.reason = hasCopy ? 'unknown-key' : undefined;
  }
}

/** A cache of the issuer's keys, which lasts as long as the execution environment. */
export const jwksCache = ({ fetchJwks, algorithms, now, log }: JwksDependencies): JwksCache => {
  let copy: { readonly keySet: KeySet; readonly fetchedAt: number } | undefined;
  let failedAt = -Infinity;
  let fetching: Promise<KeySet> | undefined;

  /** Whether `time` is less than `age` ago. Future times are not, in case the clock was set back. */
  const isWithin = (age: number, time: number): boolean => time <= now() && now() - time < age;
  const copyYoungerThan = (age: number): typeof copy =>
    copy !== undefined && isWithin(age, copy.fetchedAt) ? copy : undefined;
  const usableCopy = (): typeof copy =>
    copy !== undefined && now() - copy.fetchedAt < maxAge ? copy : undefined;

  const unavailable = (cause?: unknown): JwksUnavailable =>
    new JwksUnavailable(usableCopy() !== undefined, cause);

  const replaceCopy = async (): Promise<KeySet> => {
    const keySet = parseKeySet(await fetchJwks(), algorithms);
    copy = { keySet, fetchedAt: now() };
    return keySet;
  };

  const fetchCopy = async (): Promise<KeySet> => {
    try {
      return await replaceCopy();
    } catch (error) {
      failedAt = now();
      const cause = errorText(error);
      const held = usableCopy();
      const ageSeconds = held && Math.round((now() - held.fetchedAt) / second);
      // Lambda's log line for a thrown error omits its cause.
      if (ageSeconds === undefined) log.error({ event: 'key-set-unavailable', cause });
      else log.warn({ event: 'key-set-refresh-failed', ageSeconds, cause });
      throw unavailable(error);
    }
  };

  const fetched = (): Promise<KeySet> => {
    if (isWithin(retryPause, failedAt)) return Promise.reject(unavailable());
    // Requests that wait for the issuer at the same time share one fetch.
    fetching ??= fetchCopy().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };

  return {
    current: async () =>
      copyYoungerThan(refreshAge)?.keySet ??
      fetched().catch((error: unknown) => {
        const held = usableCopy();
        if (held === undefined) throw error;
        return held.keySet;
      }),
    latest: async () => copyYoungerThan(latestAge)?.keySet ?? fetched(),
    preload: replaceCopy,
  };
};

/**
 * Fetches an issuer's key set (RFC 7517 section 5). It avoids `fetch`, which adds 20 ms to a cold start.
 * @param deadline milliseconds until the whole body must have arrived
 * @throws {Error} for anything but a JSON object with status 200; redirects are not followed
 */
export const fetchJwks = async (uri: string, deadline = fetchDeadline): Promise<JsonObject> => {
  const get = uri.startsWith('https:') ? getHttps : getHttp;
  // No keep-alive: by the next fetch, minutes later, the issuer may have closed the connection.
  const options = { headers: { accept: 'application/json' }, agent: false };
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const request = get(uri, options, (response) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response
      .on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > maxBytes) response.destroy(jwksError('TooLarge'));
        else parts.push(part);
      })
      .on('end', () => {
        resolve(Buffer.concat(parts));
      })
      .on('error', reject);
    const { statusCode } = response;
    if (statusCode !== 200) response.destroy(jwksError(`Status${String(statusCode)}`));
  }).on('error', reject);
  const timer = setTimeout(() => {
    reject(jwksError('Timeout'));
    request.destroy();
  }, deadline);
  const body = await promise.finally(() => {
    clearTimeout(timer);
  });
  return parseJsonObject(body);
};
