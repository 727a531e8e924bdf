import { startProgress } from '../terminal/progress.ts';
import type { BatchWriter } from './table/batch-writer.ts';
import type { GrantKey } from './table/grant.ts';
import { deleteRequest } from './table/write-requests.ts';

/**
 * Deletes items while their keys are read.
 * @throws the reason of the signal, between two items
 */
export const deleteGrants = async (
  writer: BatchWriter,
  pages: AsyncIterable<readonly GrantKey[]>,
  signal: AbortSignal,
): Promise<void> => {
  const progress = startProgress(undefined, process.stderr);
  try {
    for await (const keys of pages) {
      for (const key of keys) {
        signal.throwIfAborted();
        await writer.put(deleteRequest(key));
      }
      progress.update(writer.written(), 0);
    }
  } finally {
    progress.stop();
    await writer.finish();
  }
};
