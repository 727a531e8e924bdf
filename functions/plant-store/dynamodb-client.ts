import { addAbortListener } from 'node:events';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { isThrottling } from '../../table/throttling.ts';
import type { Credentials } from '../shared/environment.ts';
import { errorText } from '../shared/error-text.ts';
import { DynamoDbError, parseResponse, type QueryInput, type QueryOutput } from './query.ts';
import { requestSigner } from './request-signature.ts';

interface DynamoDbClientOptions {
  readonly region: string;
  readonly credentials: Credentials;
  readonly endpoint: string;
  readonly bounds?: Readonly<typeof storeBounds>;
}

/** Reads from DynamoDB. */
export interface DynamoDbClient {
  /**
   * Sends a Query, and retries it after a transient failure.
   * @throws {DynamoDbError} when DynamoDB refused the request, or every attempt failed
   */
  readonly query: (input: QueryInput, signal: AbortSignal) => Promise<QueryOutput>;
}

/** In milliseconds. The request's deadline, not the sum of these, bounds a Query. */
export const storeBounds = {
  /** The size of the pool. Each connection costs a handshake, so eight list many principals fastest. */
  connections: 8,
  /** The maximum number of attempts of a Query. */
  attempts: 3,
  /** From the moment a request has a connection, which may have to be opened, to the end of its response. */
  requestTimeout: 2000,
  /** The longest wait before the second attempt; doubled before the third. */
  backoff: { failed: 100, throttled: 500 },
};

/** 1 MB of items takes at most six times as much in JSON, and some more for attribute names. */
const maxResponseBytes = 16 * 1024 * 1024;

/** A kept connection was closed or had unrequested bytes. A resend does not count as an attempt. */
class StaleConnection extends DynamoDbError {}

/**
 * A client for the one action this service uses: it signs requests, keeps connections open, retries with
 * jittered backoff and stops when the caller's signal aborts. Loading the AWS SDK instead is half of a cold
 * start (bench/results.json).
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
  const pool = { keepAlive: true, maxSockets: bounds.connections };
  // One context for all connections: making one takes as long as a handshake that resumes a session.
  const agent = secure
    ? new HttpsAgent({ ...pool, secureContext: createSecureContext() })
    : new HttpAgent(pool);
  const sign = requestSigner({ region, host: url.host, target: 'DynamoDB_20120810.Query', credentials });
  const destination = { ...urlToHttpOptions(url), method: 'POST', agent };

  const attempt = (body: string, signal: AbortSignal): Promise<QueryOutput> =>
    new Promise((resolve, reject) => {
      let reused = false;
      let latest: Buffer | undefined;
      let responded = false;
      let output: QueryOutput | undefined;
      let timer: NodeJS.Timeout | undefined;
      const fail = (error: unknown): void => {
        // Idle connections may be dead too, and finding out costs one attempt each.
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
        const Failure = reused && !responded ? StaleConnection : DynamoDbError;
        reject(error instanceof DynamoDbError ? error : new Failure(errorText(error), true));
      };
      const receive = (bytes: Buffer): void => {
        latest = bytes;
        if (!sent.writableEnded) sent.destroy(new StaleConnection('Unrequested', true));
      };
      const sent = request({ ...destination, headers: sign(body, new Date()) }, (response) => {
        responded = true;
        const parts: Buffer[] = [];
        let bytes = 0;
        response
          .on('data', (part: Buffer) => {
            bytes += part.length;
            if (bytes > maxResponseBytes) response.destroy(new DynamoDbError('TooLarge', true));
            else parts.push(part);
          })
          .on('error', fail)
          .on('end', () => {
            const end = parts.at(-1);
            // Bytes after the body belong to no request: do not reuse the connection.
            if (!end || !latest?.subarray(-end.length).equals(end)) sent.socket?.destroy();
            try {
              output = parseResponse(response.statusCode ?? 0, Buffer.concat(parts).toString());
            } catch (error) {
              fail(error);
            }
          });
      });
      // The request's own option `signal` takes a tenth of the processor time of a Query.
      const aborting = addAbortListener(signal, () => sent.destroy(new DynamoDbError('Aborted', true)));
      sent
        .on('error', fail)
        // The timeout starts here, because a request may wait for a connection.
        .on('socket', (socket) => {
          reused = !socket.connecting;
          timer = setTimeout(() => sent.destroy(new DynamoDbError('Timeout', true)), bounds.requestTimeout);
          socket.on('data', receive);
          const send = (): unknown => sent.destroyed || sent.end(body);
          // Within two turns the event loop reads unrequested bytes of a kept connection.
          if (reused) setImmediate(setImmediate, send);
          else send();
        })
        .on('close', () => {
          clearTimeout(timer);
          sent.socket?.off('data', receive);
          aborting[Symbol.dispose]();
          // Only now is the connection free for the next Query.
          if (output) resolve(output);
          // A response in another protocol ends here, without an error.
          if (!responded) fail(new DynamoDbError('Closed', true));
        });
    });

  const query: DynamoDbClient['query'] = async (input, signal) => {
    const body = JSON.stringify(input);
    let mayResend = true;
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(body, signal);
      } catch (error) {
        if (error instanceof StaleConnection && mayResend) {
          mayResend = false;
          tried -= 1;
          continue;
        }
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
