import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../terminal/user-error.ts';

/** AWS: BatchWriteItem takes up to 25 requests. */
const batchSize = 25;
const maxInFlight = 8;
/** Consecutive attempts in which the store accepts no item: about a minute. */
const maxFruitlessAttempts = 12;
const firstWaitMs = 50;
const maxWaitMs = 10_000;

/** Sends requests once. @returns those that the store did not accept, as when it throttles */
export type WriteOnce = (requests: readonly WriteRequest[]) => Promise<readonly WriteRequest[]>;

/** Writes requests in batches, several at a time. */
export interface BatchWriter {
  /**
   * Adds a request, and waits while too many batches are in flight.
   * @throws the error of an earlier batch
   */
  readonly put: (request: WriteRequest) => Promise<void>;
  /**
   * Writes the remaining requests, and waits for all batches.
   * @throws the error of a batch
   */
  readonly finish: () => Promise<void>;
  /** The number of items that the store has confirmed. */
  readonly written: () => number;
}

/** @param wait in milliseconds */
export const batchWriter = (writeOnce: WriteOnce, wait: (ms: number) => Promise<unknown>): BatchWriter => {
  const inFlight = new Set<Promise<void>>();
  let batch: WriteRequest[] = [];
  let written = 0;
  let failure: { readonly error: unknown } | undefined;

  const writeBatch = async (requests: readonly WriteRequest[]): Promise<void> => {
    let pending = requests;
    for (let attempt = 0; attempt < maxFruitlessAttempts; attempt += 1) {
      const left = await writeOnce(pending);
      written += pending.length - left.length;
      if (left.length === 0) return;
      if (left.length < pending.length) attempt = 0;
      pending = left;
      // Full jitter, so that batches that were throttled together are not retried together.
      await wait(Math.random() * Math.min(maxWaitMs, firstWaitMs * 2 ** attempt));
    }
    throw new UserError(
      'The table throttles and accepts no more items. Try again later, or raise its limits.',
    );
  };
  const send = async (): Promise<void> => {
    if (failure !== undefined) throw failure.error;
    if (batch.length === 0) return;
    const sending: Promise<void> = writeBatch(batch)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => inFlight.delete(sending));
    inFlight.add(sending);
    batch = [];
    if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
  };

  return {
    put: async (request) => {
      batch.push(request);
      if (batch.length === batchSize) await send();
    },
    finish: async () => {
      try {
        await send();
      } finally {
        await Promise.all(inFlight);
      }
      if (failure !== undefined) throw failure.error;
    },
    written: () => written,
  };
};
