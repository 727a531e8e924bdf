import { type CompactVerifyGetKey, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { codeOf } from '../../table/error-codes.ts';
import type { JsonObject } from './json-object.ts';
import type { Log } from './log.ts';

export interface JwksDependencies {
  /** Fetches the issuer's key set; rejects when it cannot. */
  readonly fetchJwks: () => Promise<JsonObject>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

const second = 1000;
/** The age at which a copy is fetched again, which bounds how long a withdrawn key is trusted. */
const refreshAge = 600 * second;
/** The age from which a copy is not used. */
const maxAge = 3600 * second;
/** The pause between two attempts while a copy is held, so that made-up key ids do not cause a fetch each. */
const refreshPause = 5 * second;

/** No decision is possible: the key set cannot be fetched, and no copy is recent enough. */
export class JwksUnavailable extends Error {
  override readonly name = 'JwksUnavailable';
}

interface Copy {
  readonly keys: CompactVerifyGetKey;
  readonly fetchedAt: number;
}

/**
 * The issuer's keys: fetched when first needed, kept as long as the execution environment, and fetched again when old
 * or when a token names an unknown key.
 * @throws {JwksUnavailable} from the returned function
 */
export const cachedJwks = ({ fetchJwks, now, log }: JwksDependencies): CompactVerifyGetKey => {
  let copy: Copy | undefined;
  let triedAt = -Infinity;

  const refreshed = async (): Promise<Copy> => {
    const held = copy !== undefined && now() - copy.fetchedAt < maxAge ? copy : undefined;
    if (held !== undefined && now() - triedAt < refreshPause) return held;
    if (held !== undefined) triedAt = now();
    try {
      copy = { keys: createLocalJWKSet(asJwks(await fetchJwks())), fetchedAt: now() };
      return copy;
    } catch (error) {
      const cause = causeOf(error);
      if (held === undefined) {
        // Lambda's log line for a thrown error omits its cause.
        log.error({ event: 'key-set-unavailable', cause });
        throw new JwksUnavailable('The key set of the issuer is not available.', { cause: error });
      }
      const ageSeconds = Math.round((now() - held.fetchedAt) / second);
      log.warn({ event: 'key-set-refresh-failed', ageSeconds, cause });
      return held;
    }
  };

  return async (header, token) => {
    const current = copy !== undefined && now() - copy.fetchedAt < refreshAge ? copy : await refreshed();
    try {
      return await current.keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await refreshed()).keys(header, token);
    }
  };
};

/** A system code or else the message. Both are about the issuer, because a fetch holds nothing of a caller. */
const causeOf = (error: unknown): string =>
  codeOf(error) ?? (error instanceof Error ? error.message : typeof error);

const asJwks = (value: JsonObject): JSONWebKeySet => {
  if (!isJwks(value)) throw new Error('The response of the issuer is not a key set.');
  return value;
};

const isJwks = (value: JsonObject | JSONWebKeySet): value is JSONWebKeySet => Array.isArray(value['keys']);
