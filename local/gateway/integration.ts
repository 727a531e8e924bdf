import { InvocationError } from '../lambda/invocation.ts';
import type { Route } from '../stack/stack.ts';
import type { Deployment } from './deployment.ts';
import { gatewayResponse, type HttpResponse, responseFrom } from './response.ts';

/** Invokes a route's function, and converts its result or failure into the gateway's response. */
export const integrate = async (
  { invoke }: Deployment,
  { functionId, timeout }: Route,
  event: unknown,
): Promise<HttpResponse> => {
  let timer: NodeJS.Timeout | undefined;
  const unavailable = new Promise<HttpResponse>((resolve) => {
    timer = setTimeout(() => {
      resolve(gatewayResponse(503, 'Service Unavailable'));
    }, timeout);
  });
  const invoked = invoke(functionId, event).then(
    (result) => responseFrom(result) ?? gatewayResponse(500, 'Internal Server Error'),
    (error: unknown) => {
      if (!(error instanceof InvocationError)) throw error;
      return error.kind === 'timed-out'
        ? gatewayResponse(503, 'Service Unavailable')
        : gatewayResponse(500, 'Internal Server Error');
    },
  );
  try {
    return await Promise.race([invoked, unavailable]);
  } finally {
    clearTimeout(timer);
  }
};
