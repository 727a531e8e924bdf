import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { patience, type Wait } from './patience.ts';

/** Where the store is, and the keys that sign requests; by default, as usual with AWS. */
export type StoreConfig = Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'>;

/** A client that waits while the store throttles, and then continues. */
export const patientDynamoDb = (config: StoreConfig, wait: Wait): DynamoDBClient => {
  const client = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 5000, throwOnRequestTimeout: true },
    ...config,
  });
  // It copies each response for a logger that does nothing.
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.add(
    (next) => async (request) => {
      const throttling = patience(wait);
      for (;;) {
        try {
          return await next(request);
        } catch (error) {
          if (!(error instanceof Error && isThrottling(error.name))) throw error;
          await throttling.wait();
        }
      }
    },
    { step: 'initialize', name: 'patience' },
  );
  return client;
};

const isThrottling = (name: string): boolean =>
  ['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'].includes(name);
