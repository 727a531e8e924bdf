import pRetry from 'p-retry';
import { isThrottling } from '../functions/dynamodb/throttling.ts';

/** Retries a request for three minutes while DynamoDB throttles it, which is longer than the AWS SDK does. */
export const retryThrottled = <Response>(send: () => Promise<Response>): Promise<Response> =>
  pRetry(send, {
    shouldRetry: ({ error }) => isThrottling(error.name),
    retries: Infinity,
    maxRetryTime: 3 * 60_000,
    minTimeout: 50,
    maxTimeout: 5000,
    randomize: true,
  });
