import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sign } from 'aws4';
import { codeOrNameOf, isThrottling } from '../../../table/error-codes.ts';
import { DynamoDbError, parseResponse, type QueryInput, type QueryOutput } from './query.ts';

export interface DynamoDbClientOptions {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** Replaces the Region's default endpoint. */
  readonly endpoint?: string | undefined;
}

/** Reads from DynamoDB. */
export interface DynamoDbClient {
  /**
   * Sends a Query, and retries it after a transient failure.
   * @throws {DynamoDbError} when DynamoDB refused the request, or every attempt failed
   */
  readonly query: (input: QueryInput, signal: AbortSignal) => Promise<QueryOutput>;
}

/** How long DynamoDB may take. All attempts together end before the function's own deadline. */
export const storeBounds = {
  attempts: 3,
  /** Milliseconds to open a connection. */
  connectionTimeout: 1000,
  /** Milliseconds from a request to the end of its response. */
  requestTimeout: 2000,
  /** The longest wait before the second attempt, in milliseconds; doubled before the third. */
  backoff: { failed: 100, throttled: 500 },
} as const;

/** A page is 1 MB in DynamoDB. In JSON each of its bytes takes at most six, and each attribute name some more. */
const maxResponseBytes = 16 * 1024 * 1024;

/**
 * A client for the one action this service uses: it signs requests, keeps connections open, retries with jittered
 * backoff and stops when the caller's signal aborts. Loading the AWS SDK instead is half of a cold start (bench/results.json).
 */
export const dynamoDbClient = ({ region, credentials, endpoint }: DynamoDbClientOptions): DynamoDbClient => {
  const url = new URL(endpoint ?? `https://dynamodb.${region}.amazonaws.com`);
  const secure = url.protocol === 'https:';
  const request = secure ? requestHttps : requestHttp;
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });

  const attempt = (body: string, signal: AbortSignal): Promise<QueryOutput> => {
    const service = { method: 'POST', service: 'dynamodb', region, host: url.host, path: '/' };
    const target = {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.Query',
    };
    const { headers = {} } = sign({ ...service, headers: target, body }, credentials);
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        clearTimeout(timer);
        reject(error instanceof DynamoDbError ? error : new DynamoDbError(codeOrNameOf(error), true));
      };
      const failConnection = (error: unknown): void => {
        // Idle connections may be dead too, and finding out costs one attempt each.
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
        fail(error);
      };
      const sent = request(url, { method: 'POST', agent, headers, signal }, (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response
          .on('data', (part: Buffer) => {
            bytes += part.length;
            if (bytes > maxResponseBytes) response.destroy(new DynamoDbError('TooLarge', true));
            else parts.push(part);
          })
          .on('error', failConnection)
          .on('end', () => {
            clearTimeout(timer);
            const text = Buffer.concat(parts).toString();
            try {
              resolve(parseResponse(response.statusCode ?? 0, text));
            } catch (error) {
              fail(error);
            }
          });
      });
      const timer = setTimeout(
        () => sent.destroy(new DynamoDbError('Timeout', true)),
        storeBounds.requestTimeout,
      );
      sent.on('error', failConnection).on('socket', limitConnecting).end(body);
    });
  };

  const query: DynamoDbClient['query'] = async (input, signal) => {
    const body = JSON.stringify(input);
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(body, signal);
      } catch (error) {
        const last = tried === storeBounds.attempts || signal.aborted;
        if (last || !(error instanceof DynamoDbError) || !error.transient) throw error;
        const { failed, throttled } = storeBounds.backoff;
        const most = (isThrottling(error.code) ? throttled : failed) * 2 ** (tried - 1);
        await delay(Math.random() * most, undefined, { signal });
      }
    }
  };
  return { query };
};

/** A connection that was kept open needs no limit. */
const limitConnecting = (socket: Socket): void => {
  if (!socket.connecting) return;
  const timer = setTimeout(
    () => socket.destroy(new DynamoDbError('ConnectionTimeout', true)),
    storeBounds.connectionTimeout,
  );
  const stop = (): void => {
    clearTimeout(timer);
  };
  socket.once('connect', stop).once('close', stop);
};
