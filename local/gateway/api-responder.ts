import { InvocationError, type Invoke } from '../lambda/invocation.ts';
import type { Api, Route } from '../stack/read-stack.ts';
import { type AuthorizerCache, cachedAuthorizer } from './authorizer.ts';
import { functionEvent, type HttpRequest } from './event.ts';
import { findRoute } from './find-route.ts';
import { corsHeaders, gatewayResponse, type HttpResponse, responseFrom } from './response.ts';

/** Responds to a request. */
export type Respond = (request: HttpRequest) => Promise<Outcome>;

export interface Outcome {
  readonly response: HttpResponse;
  /** Undefined for a request that no authorizer decided about. */
  readonly authorizer?: AuthorizerCache | undefined;
}

/** An API as the template describes it, with the functions behind it: CORS, routes, and authorizers with their cache. */
export const apiResponder = ({ routes, cors }: Api, invoke: Invoke): Respond => {
  const decide = cachedAuthorizer(invoke);

  const respond: Respond = async (received) => {
    const { route, ...decoded } = findRoute(routes, received.method, received.path) ?? {};
    if (route === undefined) return { response: gatewayResponse(404, 'Not Found') };
    const request = { ...received, ...decoded };
    const { refusal, context, authorizer } = await decide(route, request);
    return { response: refusal ?? (await integrate(invoke, route, request, context)), authorizer };
  };

  return async (request) => {
    const isPreflight = request.method === 'OPTIONS' && request.headers['origin'] !== undefined;
    const { response, ...outcome } =
      cors !== undefined && isPreflight
        ? { response: { statusCode: 204, headers: {}, body: Buffer.alloc(0) } }
        : await respond(request);
    const headers = { ...response.headers, ...(cors && corsHeaders(cors, request)) };
    return { ...outcome, response: { ...response, headers } };
  };
};

/** Invokes a route's function, and converts its result, failure or silence into the gateway's response. */
const integrate = async (
  invoke: Invoke,
  { key, functionId, timeout }: Route,
  request: HttpRequest,
  context: unknown,
): Promise<HttpResponse> => {
  let timer: NodeJS.Timeout | undefined;
  const unavailable = new Promise<HttpResponse>((resolve) => {
    timer = setTimeout(() => {
      resolve(gatewayResponse(503, 'Service Unavailable'));
    }, timeout);
  });
  const invoked = invoke(functionId, functionEvent(request, key, context)).then(
    responseFrom,
    (error: unknown) => {
      // To the gateway, a timeout of the function is an error of the function like any other.
      if (error instanceof InvocationError) return gatewayResponse(500, 'Internal Server Error');
      throw error;
    },
  );
  return Promise.race([invoked, unavailable]).finally(() => {
    clearTimeout(timer);
  });
};
