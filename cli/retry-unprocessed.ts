import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { notDynamoDb } from './store-response.ts';
import { whileThrottled } from './retry-throttled.ts';

/**
 * Sends requests until all are processed. After a response that processed some of them, the waits
 * begin again with the shortest, and so do the three minutes after which it gives up.
 * @param send returns the requests that were not processed
 */
export const writeAll = async <Request>(
  requests: readonly Request[],
  send: (requests: readonly Request[]) => Promise<readonly Request[]>,
): Promise<void> => {
  let left = requests;
  while (left.length > 0) {
    const before = left;
    left = await whileThrottled(async () => {
      const rest = await send(before);
      if (rest.length > before.length) throw notDynamoDb();
      if (rest.length === before.length)
        throw new ProvisionedThroughputExceededException({ message: 'Items are left', $metadata: {} });
      return rest;
    });
  }
};
