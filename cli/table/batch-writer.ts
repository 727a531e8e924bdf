import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../terminal/user-error.ts';

/** AWS: BatchWriteItem takes up to 25 requests. */
const batchSize = 25;
const maxInFlight = 8;
/** In a row, without the store taking a single item: about a minute. */
const maxFruitlessAttempts = 12;
const firstWaitMs = 50;
const maxWaitMs = 10_000;

/** Sends requests once. @returns those that the store did not take, as it does when it throttles */
export type WriteOnce = (requests: readonly WriteRequest[]) => Promise<readonly WriteRequest[]>;

/** Writes requests in batches, a few of them at a time. */
export interface BatchWriter {
  /**
   * Waits until there is room for the request.
   * @throws what a batch before has failed with
   */
  readonly put: (request: WriteRequest) => Promise<void>;
  /**
   * Writes what is left, and waits for all.
   * @throws what a batch has failed with
   */
  readonly finish: () => Promise<void>;
  /** Items that are in the store for sure. */
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
      // Full jitter: batches that were throttled together do not come back together.
      await wait(Math.random() * Math.min(maxWaitMs, firstWaitMs * 2 ** attempt));
    }
    throw new UserError('The table takes no more items: it throttles. Try again later, or raise its limits.');
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
