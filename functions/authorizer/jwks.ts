import type { CryptoKey, JWK, JWSHeaderParameters } from 'jose';
import { JWKSMultipleMatchingKeys } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { errorText } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json-object.ts';
import type { AuthorizerLogEntry, Log } from '../shared/log-events.ts';
import { jwksError } from './fetch-jwks.ts';

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
  /** The keys of a fetch in the last ten minutes or, while fetches fail, in the last hour. */
  readonly current: () => Promise<KeySet>;
  /** The keys of a fetch in the last five seconds, for a token that none of the current keys verifies. */
  readonly latest: () => Promise<KeySet>;
  /** Fetches the first copy, before the first request. A failure starts no retry pause. */
  readonly preload: () => Promise<KeySet>;
}

const second = 1000;
/** Until this age no token causes another fetch, so that made-up key ids cannot flood the issuer. */
const latestAge = 5 * second;
/** The age at which a copy is refetched: the longest that a revoked key is trusted while fetches succeed. */
const refreshAge = 600 * second;
/** The age from which a copy is unusable: the longest that a revoked key is trusted while fetches fail. */
const maxAge = 3600 * second;
/** The pause after a failed fetch. */
const retryPause = second;
/** Bounds the cost of one token, however large the key set is. */
const maxKeys = 8;

/** No decision is possible: the key set cannot be fetched, and no recent copy verifies the token. */
export class JwksUnavailable extends Error {
  override readonly name = 'JwksUnavailable';
}

/**
 * A cache of the issuer's keys, which lasts as long as the execution environment. That serves one request at
 * a time (“Understanding Lambda function scaling” in Lambda's guide), so no two requests share a fetch.
 */
export const jwksCache = ({ fetchJwks, algorithms, now, log }: JwksDependencies): JwksCache => {
  let keySet: KeySet | undefined;
  let fetchedAt = -Infinity;
  let failedAt = -Infinity;

  const copyYoungerThan = (age: number): KeySet | undefined => (now() - fetchedAt < age ? keySet : undefined);

  const preload = async (): Promise<KeySet> => {
    keySet = await parseKeySet(await fetchJwks(), algorithms);
    fetchedAt = now();
    return keySet;
  };

  const refresh = async (): Promise<KeySet> => {
    const message = 'The key set of the issuer is not available.';
    if (now() - failedAt < retryPause) throw new JwksUnavailable(message);
    try {
      return await preload();
    } catch (error) {
      failedAt = now();
      const cause = errorText(error);
      const ageSeconds = Math.round((failedAt - fetchedAt) / second);
      // Lambda's log line for a thrown error omits its cause.
      if (copyYoungerThan(maxAge) === undefined) log.error({ event: 'key-set-unavailable', cause });
      else log.warn({ event: 'key-set-refresh-failed', ageSeconds, cause });
      throw new JwksUnavailable(message, { cause: error });
    }
  };

  return {
    current: async () => {
      try {
        return copyYoungerThan(refreshAge) ?? (await refresh());
      } catch (error) {
        const held = copyYoungerThan(maxAge);
        if (held === undefined) throw error;
        return held;
      }
    },
    latest: async () => copyYoungerThan(latestAge) ?? refresh(),
    preload,
  };
};

/** @throws {Error} unless a key set (RFC 7517 section 5) has a key for one of the algorithms */
const parseKeySet = async (text: string, algorithms: readonly string[]): Promise<KeySet> => {
  const response: unknown = JSON.parse(text);
  if (!isJsonObject(response) || !Array.isArray(response['keys'])) throw jwksError('NoKeySet');
  // jose checks their parameters.
  const keys = response['keys'].filter((key: unknown): key is JWK => isJsonObject(key));
  const matching = createLocalJWKSet({ keys });
  const keySet: KeySet = async (header) => {
    const found: CryptoKey[] = [];
    try {
      found.push(await matching(header));
    } catch (error) {
      // After any other error none is found: no key matches, or the only one is malformed.
      if (error instanceof JWKSMultipleMatchingKeys) {
        for await (const key of error) {
          found.push(key);
          if (found.length === maxKeys) break;
        }
      }
    }
    // RFC 7518 section 3.3. jose throws a TypeError for a weak key, as a fault in this code would.
    return found.filter(
      ({ algorithm }) => !('modulusLength' in algorithm) || Number(algorithm.modulusLength) >= 2048,
    );
  };
  const usable = await Promise.all(algorithms.map((alg) => keySet({ alg })));
  if (usable.flat().length === 0) throw jwksError('NoUsableKey');
  return keySet;
};
