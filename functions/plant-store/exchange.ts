import { addAbortListener } from 'node:events';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { createSecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import type { Credentials } from '../shared/environment.ts';
import { errorText } from '../shared/errors.ts';
import { DynamoDbError, parseResponse, type QueryOutput } from './query.ts';
import { requestSigner } from './request-signature.ts';

export interface ExchangeOptions {
  readonly region: string;
  readonly credentials: Credentials;
  readonly endpoint: string;
}

/** 1 MB of items takes at most six times as much in JSON, and some more for attribute names. */
const maxStoreResponseBytes = 16 * 1024 * 1024;

/** A reused connection was closed or carried unrequested bytes; the store itself may be healthy. */
export class StaleConnection extends DynamoDbError {}

/** Sends a Query as JSON, once, over a pooled connection; rejects with a `DynamoDbError`. */
export const dynamoDbExchange = (
  { region, credentials, endpoint }: ExchangeOptions,
  { connections, requestTimeout }: Readonly<Record<'connections' | 'requestTimeout', number>>,
): ((body: string, signal: AbortSignal) => Promise<QueryOutput>) => {
  const url = new URL(endpoint);
  const secure = url.protocol === 'https:';
  const request = secure ? requestHttps : requestHttp;
  const pool = { keepAlive: true, maxSockets: connections };
  // One context for all connections: making one takes as long as a handshake that resumes a session.
  const agent = secure
    ? new HttpsAgent({ ...pool, secureContext: createSecureContext() })
    : new HttpAgent(pool);
  const sign = requestSigner({ region, host: url.host, target: 'DynamoDB_20120810.Query', credentials });
  const destination = { ...urlToHttpOptions(url), method: 'POST', agent };

  return (body, signal) =>
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
            if (bytes > maxStoreResponseBytes) response.destroy(new DynamoDbError('TooLarge', true));
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
          timer = setTimeout(() => sent.destroy(new DynamoDbError('Timeout', true)), requestTimeout);
          socket.on('data', receive);
          const send = (): unknown => sent.destroyed || sent.end(body);
          // Two iterations of the event loop read any unrequested bytes of a reused connection.
          if (reused) setImmediate(setImmediate, send);
          else send();
        })
        .on('close', () => {
          clearTimeout(timer);
          sent.socket?.off('data', receive);
          aborting[Symbol.dispose]();
          // Only now is the connection free for the next Query.
          if (output) resolve(output);
          // A response with status 101 ends here: Node.js closes the connection without an error.
          if (!responded) fail(new DynamoDbError('Closed', true));
        });
    });
};
