import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sign } from 'aws4';
import { DynamoDbError, isThrottle, parseAnswer, type QueryInput, type QueryOutput } from './query.ts';

export interface DynamoDbClientOptions {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** In place of the region's own endpoint. */
  readonly endpoint?: string | undefined;
}

/**
 * Sends one Query, again where that may help.
 * @throws {DynamoDbError} when it was refused, or no attempt got an answer
 */
export type Query = (input: QueryInput, signal: AbortSignal) => Promise<QueryOutput>;

/** How long the store may take; all attempts together end before the function's caller is answered. */
export const storeBounds = {
  attempts: 3,
  /** Milliseconds to open a connection. */
  connectionTimeout: 1000,
  /** Milliseconds from a request to the end of its answer. */
  requestTimeout: 2000,
  /** Milliseconds before the second attempt, at most; twice as many before the third. */
  backoff: { failed: 100, throttled: 500 },
} as const;

/** A page is 1 MB at the store; as JSON each of its bytes takes six at most, and each attribute some more. */
const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * A client for the one action this service uses: it signs, keeps connections, retries with jittered backoff and ends
 * with the caller's signal. In place of the AWS SDK, whose loading is half of a cold start (bench/results.json).
 */
export const dynamoDbQuery = ({ region, credentials, endpoint }: DynamoDbClientOptions): Query => {
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
        reject(error instanceof DynamoDbError ? error : new DynamoDbError(codeOf(error), true));
      };
      const failConnection = (error: unknown): void => {
        // The idle ones may be as dead, and would take an attempt each to find out.
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
        fail(error);
      };
      const sent = request(url, { method: 'POST', agent, headers, signal }, (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response
          .on('data', (part: Buffer) => {
            bytes += part.length;
            if (bytes > maxAnswerBytes) response.destroy(new DynamoDbError('TooLarge', true));
            else parts.push(part);
          })
          .on('error', failConnection)
          .on('end', () => {
            clearTimeout(timer);
            const text = Buffer.concat(parts).toString();
            try {
              resolve(parseAnswer(response.statusCode ?? 0, text));
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

  return async (input, signal) => {
    const body = JSON.stringify(input);
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(body, signal);
      } catch (error) {
        const last = tried === storeBounds.attempts || signal.aborted;
        if (last || !(error instanceof DynamoDbError) || !error.transient) throw error;
        const { failed, throttled } = storeBounds.backoff;
        const most = (isThrottle(error.code) ? throttled : failed) * 2 ** (tried - 1);
        await delay(Math.random() * most, undefined, { signal });
      }
    }
  };
};

/** A kept connection is open already and needs no limit. */
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

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};
