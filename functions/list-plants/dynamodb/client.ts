import { addAbortListener } from 'node:events';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { codeOrNameOf, isThrottling } from '../../../table/error-codes.ts';
import type { Credentials } from '../../shared/credentials.ts';
import { DynamoDbError, parseResponse, type QueryInput, type QueryOutput } from './query.ts';
import { requestSigner } from './request-signature.ts';

export interface DynamoDbClientOptions {
  readonly region: string;
  readonly credentials: Credentials;
  /** DynamoDB's URL. */
  readonly endpoint: string;
  readonly bounds?: StoreBounds;
}

/** How long DynamoDB may take, and how much of it is used at once. Durations are in milliseconds. */
export interface StoreBounds {
  /** How many connections are open at most, before a response was slow and afterwards. More Queries wait for one. */
  readonly connections: { readonly usual: number; readonly most: number };
  /** From when a response is slow. */
  readonly slowResponse: number;
  /** How many times a Query is sent at most. */
  readonly attempts: number;
  /** To open a connection, with its TLS handshake. */
  readonly connectionTimeout: number;
  /** From the moment a request is sent to the end of its response. */
  readonly requestTimeout: number;
  /** The longest wait before the second attempt; doubled before the third. */
  readonly backoff: { readonly failed: number; readonly throttled: number };
}

/** Reads from DynamoDB. */
export interface DynamoDbClient {
  /**
   * Sends a Query, and retries it after a transient failure.
   * @throws {DynamoDbError} when DynamoDB refused the request, or every attempt failed
   */
  readonly query: (input: QueryInput, signal: AbortSignal) => Promise<QueryOutput>;
}

/** The signal of a Query ends it where these durations add up to more than the function's deadline. */
export const storeBounds: StoreBounds = {
  // Each costs a handshake, so eight list many principals fastest, unless the store lets them wait.
  connections: { usual: 8, most: 16 },
  slowResponse: 250,
  attempts: 3,
  connectionTimeout: 1000,
  requestTimeout: 2000,
  backoff: { failed: 100, throttled: 500 },
};

/** A page is 1 MB in DynamoDB. In JSON each of its bytes takes at most six, and each attribute name some more. */
const maxResponseBytes = 16 * 1024 * 1024;

/**
 * A client for the one action this service uses: it signs requests, keeps connections open, retries with jittered
 * backoff and stops when the caller's signal aborts. Loading the AWS SDK instead is half of a cold start (bench/results.json).
 */
export const dynamoDbClient = ({
  region,
  credentials,
  endpoint,
  bounds = storeBounds,
}: DynamoDbClientOptions): DynamoDbClient => {
  const url = new URL(endpoint);
  const secure = url.protocol === 'https:';
  const request = secure ? requestHttps : requestHttp;
  const pool = { keepAlive: true, maxSockets: bounds.connections.usual };
  // One context for all connections: making one takes as long as a handshake that resumes a session.
  const agent = secure
    ? new HttpsAgent({ ...pool, secureContext: createSecureContext() })
    : new HttpAgent(pool);
  const sign = requestSigner({ region, host: url.host, target: 'DynamoDB_20120810.Query', credentials });
  const destination = { ...urlToHttpOptions(url), method: 'POST', agent };

  const limitConnecting = (socket: Socket): void => {
    const timer = setTimeout(
      () => socket.destroy(new DynamoDbError('ConnectionTimeout', true)),
      bounds.connectionTimeout,
    );
    const stop = (): void => {
      clearTimeout(timer);
    };
    socket.once(secure ? 'secureConnect' : 'connect', stop).once('close', stop);
  };

  const attempt = (body: string, signal: AbortSignal): Promise<QueryOutput> => {
    const headers = sign(body, new Date());
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        reject(error instanceof DynamoDbError ? error : new DynamoDbError(codeOrNameOf(error), true));
      };
      const failConnection = (error: unknown): void => {
        // Idle connections may be dead too, and finding out costs one attempt each.
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
        // The store may close a kept connection while a request is sent over it. That is no failed attempt, and cannot go on
        // forever, because the connection carried a response before.
        if (mayBeStale && !(error instanceof DynamoDbError)) resolve(attempt(body, signal));
        else fail(error);
      };
      const sent = request({ ...destination, headers }, (response) => {
        mayBeStale = false;
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
            if (performance.now() - sentAt > bounds.slowResponse) agent.maxSockets = bounds.connections.most;
            const text = Buffer.concat(parts).toString();
            try {
              resolve(parseResponse(response.statusCode ?? 0, text));
            } catch (error) {
              fail(error);
            }
          });
      });
      let timer: NodeJS.Timeout | undefined;
      let sentAt = Infinity;
      let mayBeStale = false;
      // The request's own option `signal` takes a tenth of the processor time of a Query.
      const listening = addAbortListener(signal, () => sent.destroy(new DynamoDbError('Aborted', true)));
      const stopWatching = (): void => {
        clearTimeout(timer);
        listening[Symbol.dispose]();
      };
      sent
        .on('error', failConnection)
        .on('socket', (socket) => {
          mayBeStale = !socket.connecting;
          if (socket.connecting) limitConnecting(socket);
        })
        // Not before: a request may have to wait for a connection.
        .on('finish', () => {
          sentAt = performance.now();
          const timeOut = (): void => void sent.destroy(new DynamoDbError('Timeout', true));
          timer = setTimeout(timeOut, bounds.requestTimeout);
        })
        .on('close', stopWatching)
        // Without a listener, Node would close the connection and report nothing.
        .on('upgrade', (_response, socket) => {
          socket.destroy();
          stopWatching();
          fail(new DynamoDbError('Upgrade', true));
        })
        .end(body);
    });
  };

  const query: DynamoDbClient['query'] = async (input, signal) => {
    const body = JSON.stringify(input);
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(body, signal);
      } catch (error) {
        const last = tried === bounds.attempts || signal.aborted;
        if (last || !(error instanceof DynamoDbError) || !error.transient) throw error;
        const { failed, throttled } = bounds.backoff;
        const most = (isThrottling(error.code) ? throttled : failed) * 2 ** (tried - 1);
        await delay(Math.random() * most, undefined, { signal });
      }
    }
  };
  return { query };
};
