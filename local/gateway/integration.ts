import { InvocationError } from '../lambda/invocation.ts';
import type { Route } from '../stack/stack.ts';
import type { Deployment } from './deployment.ts';
import { gatewayResponse, type HttpResponse, responseFrom } from './response.ts';

/** What the access log says about the function that a route invokes. */
export interface Integration {
  /** The invocation's id, which is in the lines of the function's log. */
  readonly requestId: string;
  /** Milliseconds. */
  readonly latency: number;
  /** Undefined when the function returned no response. */
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}

interface Integrated {
  readonly response: HttpResponse;
  readonly integration: Integration;
}

type Result = { readonly response: HttpResponse } & Pick<Integration, 'status' | 'error'>;

/** Invokes a route's function, and converts its result or failure into the gateway's response. */
export const integrate = async (
  { invoke }: Deployment,
  { functionId, timeout }: Route,
  event: unknown,
): Promise<Integrated> => {
  const requestId = crypto.randomUUID();
  const start = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const unavailable = new Promise<Result>((resolve) => {
    timer = setTimeout(() => {
      const error = `The function did not respond within the integration's ${String(timeout)} ms.`;
      resolve({ response: gatewayResponse(503, 'Service Unavailable'), error });
    }, timeout);
  });
  const invoked = invoke(functionId, event, requestId).then(
    (result): Result => {
      const response = responseFrom(result);
      return response === undefined
        ? failed("The function's response does not have the expected format.")
        : { response, status: response.statusCode };
    },
    (error: unknown): Result => {
      if (!(error instanceof InvocationError)) throw error;
      // To the gateway, a timeout of the function is an error of the function like any other.
      return failed(
        `The Lambda function returned the following error: ${error.message}. Check your Lambda function code and try again.`,
      );
    },
  );
  try {
    const { response, ...result } = await Promise.race([invoked, unavailable]);
    return { response, integration: { requestId, latency: performance.now() - start, ...result } };
  } finally {
    clearTimeout(timer);
  }
};

const failed = (error: string): Result => ({
  response: gatewayResponse(500, 'Internal Server Error'),
  error,
});
