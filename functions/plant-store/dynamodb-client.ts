import { setTimeout as delay } from 'node:timers/promises';
import { isThrottling } from '../../table/throttling.ts';
import { dynamoDbExchange, type ExchangeOptions, StaleConnection } from './exchange.ts';
import { DynamoDbError, type QueryInput, type QueryOutput } from './query.ts';

/** Reads from DynamoDB. */
export interface DynamoDbClient {
  /**
   * Sends a Query, and retries it after a transient failure.
   * @throws {DynamoDbError} after a rejection or the last attempt; an AbortError if aborted in a retry pause
   */
  readonly query: (input: QueryInput, signal: AbortSignal) => Promise<QueryOutput>;
}

/** Times are in milliseconds. The deadline of the API request, not their sum, bounds a Query. */
export const storeBounds = {
  /** The size of the pool. Each connection costs a handshake; eight are the fastest for many principals. */
  connections: 8,
  /** The maximum number of attempts of a Query. */
  attempts: 3,
  /** The timeout of one attempt: from its connection (handshake included) to the end of the response. */
  requestTimeout: 2000,
  /** The longest wait before the second attempt; doubled before the third. */
  backoff: { failed: 100, throttled: 500 },
};

/**
 * A client for the one action this service uses: it retries with jittered backoff and stops when the caller's
 * signal aborts. Loading the AWS SDK instead would be half of a cold start (bench/results.json).
 */
export const dynamoDbClient = (options: ExchangeOptions, bounds = storeBounds): DynamoDbClient => {
  const exchange = dynamoDbExchange(options, bounds);

  return {
    query: async (input, signal) => {
      const body = JSON.stringify(input);
      let mayResend = true;
      for (let tried = 1; ; tried += 1) {
        try {
          return await exchange(body, signal);
        } catch (error) {
          if (error instanceof StaleConnection && mayResend) {
            mayResend = false;
            tried -= 1;
            continue;
          }
          const last = tried === bounds.attempts || signal.aborted;
          if (last || !(error instanceof DynamoDbError) || !error.transient) throw error;
          const { failed, throttled } = bounds.backoff;
          const maxDelay = (isThrottling(error.code) ? throttled : failed) * 2 ** (tried - 1);
          await delay(Math.random() * maxDelay, undefined, { signal });
        }
      }
    },
  };
};
