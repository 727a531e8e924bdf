import { setTimeout as delay } from 'node:timers/promises';
import type { Invoke } from '../lambda/functions.ts';
import type { Route } from '../stack/read-stack.ts';
import { cachedAuthorizer } from './authorizer.ts';
import { functionEvent, type HttpRequest } from './event.ts';
import { findRoute } from './find-route.ts';
import { failureResponse, gatewayResponse, type HttpResponse, responseFrom } from './response.ts';

export type Respond = (request: HttpRequest) => Promise<HttpResponse>;

/** An API as the template describes it: routes to functions, and authorizers with their cache. */
export const apiResponder = (routes: readonly Route[], invoke: Invoke): Respond => {
  const decide = cachedAuthorizer(invoke);
  return async (received) => {
    const { route, ...decoded } = findRoute(routes, received.method, received.path) ?? {};
    if (route === undefined) return gatewayResponse(404, 'Not Found');
    const request = { ...received, ...decoded };
    const { refusal, context, authorizer } = await decide(route, request);
    if (refusal !== undefined) return { ...refusal, authorizer };

    const responded = new AbortController();
    const unavailable = delay(route.timeout, gatewayResponse(503, 'Service Unavailable'), responded);
    const event = functionEvent(request, route.key, context);
    const response = invoke(route.functionId, event).then(responseFrom, failureResponse);
    return Promise.race([response, unavailable])
      .then((each) => ({ ...each, authorizer }))
      .finally(() => {
        responded.abort();
      });
  };
};
