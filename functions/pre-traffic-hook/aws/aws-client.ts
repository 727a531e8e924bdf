import { setTimeout as delay } from 'node:timers/promises';
import { sign } from 'aws4';
import type { Credentials } from '../../shared/environment.ts';

export interface AwsClientOptions {
  readonly region: string;
  readonly credentials: Credentials;
  readonly retries?: Retries;
}

/** Durations are in milliseconds. */
export interface Retries {
  /** How many times a request is sent at most. */
  readonly attempts: number;
  /** Before the second attempt; doubled before each further one. */
  readonly pause: number;
  /** For all attempts. */
  readonly timeout: number;
}

export interface AwsRequest {
  readonly service: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends a signed POST, and repeats it after a failure.
 * @throws {AwsError} when the last response is not a success
 */
export type AwsClient = (request: AwsRequest) => Promise<Response>;

/** An AWS service refused a request. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  /** The service's name of the error, or else the status. */
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** A right that the release itself has granted can take some seconds to be in effect, so a refusal is repeated too. */
const patient: Retries = { attempts: 5, pause: 1000, timeout: 60_000 };

/** A client for the two requests of the hook. Unlike the other functions, it may load `fetch`: no caller waits for it. */
export const awsClient =
  ({ region, credentials, retries: { attempts, pause, timeout } = patient }: AwsClientOptions): AwsClient =>
  async ({ service, url, headers, body }) => {
    const signal = AbortSignal.timeout(timeout);
    const attempt = async (): Promise<Response> => {
      const path = `${url.pathname}${url.search}`;
      const signed = sign(
        { service, region, host: url.host, method: 'POST', path, headers: { ...headers }, body },
        credentials,
      );
      const response = await fetch(url, {
        method: 'POST',
        headers: Object.entries(signed.headers ?? {}).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        body,
        signal,
      });
      if (response.ok) return response;
      const [type = ''] = (response.headers.get('x-amzn-errortype') ?? '').split(':');
      throw new AwsError(type || String(response.status));
    };
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (tried === attempts || signal.aborted) throw error;
        await delay(pause * 2 ** (tried - 1), undefined, { signal });
      }
    }
  };
