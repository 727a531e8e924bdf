import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { sign } from 'aws4';
import { type Query, type QueryOutput, QueryRefused } from '../query-plant-store.ts';

export interface QueryClientOptions {
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** In place of the region's own endpoint. */
  readonly endpoint?: string | undefined;
}

const attempts = 3;
/** Milliseconds from a request to the end of its answer. */
const attemptTimeout = 2000;
/** Milliseconds before the second attempt at most; twice as many before each next one. */
const backoff = { failed: 100, throttled: 500 } as const;

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** An attempt that another may mend. */
class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';
  readonly backoff: number;

  constructor(backoffMs: number, options?: ErrorOptions) {
    super('The store did not answer.', options);
    this.backoff = backoffMs;
  }
}

/** A client for DynamoDB's Query: keeps connections, retries with jittered backoff, ends with the caller's signal. */
export const queryClient = ({ region, credentials, endpoint }: QueryClientOptions): Query => {
  const url = new URL(endpoint ?? `https://dynamodb.${region}.amazonaws.com`);
  const secure = url.protocol === 'https:';
  const request = secure ? requestHttps : requestHttp;
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });

  const send = (body: string, signal: AbortSignal): Promise<QueryOutput> => {
    const { headers = {} } = sign(
      {
        method: 'POST',
        service: 'dynamodb',
        region,
        host: url.host,
        path: '/',
        headers: {
          'Content-Type': 'application/x-amz-json-1.0',
          'X-Amz-Target': 'DynamoDB_20120810.Query',
        },
        body,
      },
      credentials,
    );
    const { promise, resolve, reject } = Promise.withResolvers<QueryOutput>();
    const fail = (cause: unknown): void => {
      reject(new AttemptFailed(backoff.failed, { cause }));
    };
    const sent = request(url, { method: 'POST', agent, headers, signal }, (response) => {
      const parts: Buffer[] = [];
      response
        .on('data', (part: Buffer) => parts.push(part))
        .on('error', fail)
        .on('end', () => {
          clearTimeout(timer);
          const text = Buffer.concat(parts).toString();
          if (response.statusCode !== 200) {
            reject(failureOf(response.statusCode ?? 0, text));
            return;
          }
          try {
            resolve(parseOutput(text));
          } catch (error) {
            fail(error);
          }
        });
    })
      .on('error', fail)
      .end(body);
    const timer = setTimeout(() => sent.destroy(new Error('The attempt took too long.')), attemptTimeout);
    return promise.finally(() => {
      clearTimeout(timer);
    });
  };

  return async (input, signal) => {
    const body = JSON.stringify(input);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(body, signal);
      } catch (error) {
        if (signal.aborted || !(error instanceof AttemptFailed) || attempt === attempts) throw error;
        await delay(Math.random() * error.backoff * 2 ** (attempt - 1), undefined, { signal });
      }
    }
  };
};

const parseOutput = (text: string): QueryOutput => {
  const output: unknown = JSON.parse(text);
  if (!isQueryOutput(output)) throw new Error('The answer holds no items.');
  return output;
};

const isQueryOutput = (output: unknown): output is QueryOutput =>
  typeof output === 'object' && output !== null && 'Items' in output && Array.isArray(output.Items);

const failureOf = (status: number, answer: string): Error => {
  const type = /"__type":"(?:[^"]*#)?(\w+)"/.exec(answer)?.[1] ?? '';
  if (throttles.has(type) || status === 429) return new AttemptFailed(backoff.throttled);
  return status >= 500 ? new AttemptFailed(backoff.failed) : new QueryRefused(type);
};
