import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export interface DynamoClientOptions {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** In place of the region's own endpoint. */
  readonly endpoint?: string | undefined;
}

/** How long the store may take; all attempts together end before the function's caller is answered. */
export const storeBounds = {
  attempts: 3,
  /** Milliseconds to open a connection. */
  connectionTimeout: 1000,
  /** Milliseconds from a request to its answer. */
  requestTimeout: 2000,
} as const;

/** A client with these bounds. */
export const dynamoClient = ({ region, credentials, endpoint }: DynamoClientOptions): DynamoDBClient => {
  const client = new DynamoDBClient({
    region,
    credentials,
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts: storeBounds.attempts,
    requestHandler: {
      connectionTimeout: storeBounds.connectionTimeout,
      requestTimeout: storeBounds.requestTimeout,
      // Otherwise the SDK only warns.
      throwOnRequestTimeout: true,
    },
  });
  // It copies every response for a logger that does nothing: a third of a large list's CPU time.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};
