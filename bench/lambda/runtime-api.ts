import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startServer } from '../../test/support/loopback-server.ts';

/** A function's response. */
export interface Response {
  /** Milliseconds from sending the event until the whole result is received. */
  readonly ms: number;
  /** The function's result as JSON text. */
  readonly result: string;
}

/** The Runtime API (AWS: "Using the Lambda runtime API") for one execution environment. */
interface RuntimeApi {
  /** `host:port`, the value of AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Resolves when the function first requests an event, which ends its initialization. */
  readonly initialized: Promise<void>;
  /** Sends an event. Rejects if the function reports an error. Only one invocation at a time. */
  readonly invoke: (event: string) => Promise<Response>;
  readonly close: () => void;
}

export const startRuntimeApi = async (): Promise<RuntimeApi> => {
  // The response to the function's pending request for its next event.
  let pollResponse = Promise.withResolvers<ServerResponse>();
  let functionResult = Promise.withResolvers<string>();
  const initialized = pollResponse.promise.then(() => undefined);
  const fail = (error: unknown): void => {
    pollResponse.reject(error);
    functionResult.reject(error);
  };

  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      pollResponse.resolve(response);
      return;
    }
    text(request).then((body) => {
      response.writeHead(202).end();
      if (request.url?.endsWith('/response') === true) functionResult.resolve(body);
      else fail(new Error(`The function failed: ${body}`));
    }, fail);
  });

  return {
    address: new URL(await startServer(server)).host,
    initialized,
    invoke: async (event) => {
      const response = await pollResponse.promise;
      pollResponse = Promise.withResolvers();
      functionResult = Promise.withResolvers();
      const started = performance.now();
      response.writeHead(200, invocationHeaders()).end(event);
      const result = await functionResult.promise;
      return { ms: performance.now() - started, result };
    },
    close: () => server.close(),
  };
};

const invocationHeaders = (): Record<string, string> => ({
  'content-type': 'application/json',
  'lambda-runtime-aws-request-id': crypto.randomUUID(),
  'lambda-runtime-deadline-ms': String(Date.now() + 10_000),
  'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:000000000000:function:benchmark',
});
