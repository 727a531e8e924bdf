import { setTimeout as delay } from 'node:timers/promises';
import type { Invoke } from '../lambda/functions.ts';
import type { Api } from '../stack/read-stack.ts';
import { cachedAuthorizer } from './authorizer.ts';
import { functionEvent, type HttpRequest } from './event.ts';
import { findRoute } from './find-route.ts';
import { corsHeaders, functionFailed, gatewayResponse, type HttpResponse, responseFrom } from './response.ts';

/** Responds to a request. */
export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** An API as the template describes it: CORS, routes to functions, and authorizers with their cache. */
export const apiResponder = ({ routes, cors }: Api, invoke: Invoke): Respond => {
  const decide = cachedAuthorizer(invoke);

  const respond: Respond = async (received) => {
    const { route, ...decoded } = findRoute(routes, received.method, received.path) ?? {};
    if (route === undefined) return gatewayResponse(404, 'Not Found');
    const request = { ...received, ...decoded };
    const { refusal, context, authorizer } = await decide(route, request);
    if (refusal !== undefined) return { ...refusal, authorizer };

    const responded = new AbortController();
    const unavailable = delay(route.timeout, gatewayResponse(503, 'Service Unavailable'), responded);
    const event = functionEvent(request, route.key, context);
    const response = invoke(route.functionId, event).then(responseFrom, functionFailed);
    return Promise.race([response, unavailable])
      .then((each) => ({ ...each, authorizer }))
      .finally(() => {
        responded.abort();
      });
  };

  return async (request) => {
    if (cors === undefined) return respond(request);
    const isPreflight = request.method === 'OPTIONS' && request.headers['origin'] !== undefined;
    const response = isPreflight
      ? { statusCode: 204, headers: {}, body: Buffer.alloc(0) }
      : await respond(request);
    return { ...response, headers: { ...response.headers, ...corsHeaders(cors, request) } };
  };
};
