import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { patience, type Wait } from './patience.ts';
import { taskPool } from './task-pool.ts';

/** AWS: BatchWriteItem takes up to 25 requests. */
const batchSize = 25;
const maxInFlight = 8;

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

export const batchWriter = (writeOnce: WriteOnce, wait: Wait): BatchWriter => {
  const batches = taskPool(maxInFlight);
  let batch: WriteRequest[] = [];
  let written = 0;

  const writeBatch = async (requests: readonly WriteRequest[]): Promise<void> => {
    const throttling = patience(wait);
    for (let pending = requests; pending.length > 0;) {
      const left = await writeOnce(pending);
      written += pending.length - left.length;
      if (left.length < pending.length) throttling.accepted();
      if (left.length > 0) await throttling.wait();
      pending = left;
    }
  };
  const send = async (): Promise<void> => {
    const full = batch;
    batch = [];
    if (full.length > 0) await batches.start(() => writeBatch(full));
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
        await batches.finish();
      }
    },
    written: () => written,
  };
};
