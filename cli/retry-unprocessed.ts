import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { retryThrottled } from './retry-throttled.ts';
import { notDynamoDb } from './store-response.ts';

/**
 * Sends requests until DynamoDB has processed all. After a response that processed some of them, the pauses
 * start again with the shortest one, and so do the three minutes after which `retryThrottled` gives up.
 * @param send returns the requests that were not processed
 */
export const retryUnprocessed = async <Request>(
  requests: readonly Request[],
  send: (requests: readonly Request[]) => Promise<readonly Request[]>,
): Promise<void> => {
  let unprocessed = requests;
  while (unprocessed.length > 0) {
    const pending = unprocessed;
    unprocessed = await retryThrottled(async () => {
      const rest = await send(pending);
      if (rest.length > pending.length) throw notDynamoDb();
      if (rest.length === pending.length)
        // No progress counts as throttling, so that `retryThrottled` waits and sends the requests again.
        throw new ProvisionedThroughputExceededException({
          message: 'DynamoDB processed no further items',
          $metadata: {},
        });
      return rest;
    });
  }
};
