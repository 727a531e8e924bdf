import { z } from 'zod';
import type { Invoke } from '../lambda/functions.ts';
import type { Route } from '../stack/read-stack.ts';
import { authorizerEvent, type HttpRequest } from './event.ts';
import { failureResponse, gatewayResponse, type HttpResponse } from './response.ts';

interface GatewayDecision extends Pick<HttpResponse, 'authorizer'> {
  /** Undefined for a request that is allowed. */
  readonly refusal?: HttpResponse;
  /** The caller's data, which the authorizer passes to the function. */
  readonly context?: unknown;
}

const maxDecisions = 1000;

/** Shared by all denials: each small buffer in the cache would retain the pool that it is part of. */
const denial: GatewayDecision = { refusal: gatewayResponse(403, 'Forbidden') };

const decisionSchema = z
  .object({ isAuthorized: z.boolean(), context: z.unknown().optional() })
  .transform(({ isAuthorized, context }): GatewayDecision => (isAuthorized ? { context } : denial));

/** Invokes authorizers, and caches their results for the time that the API sets. A failure is not cached. */
export const cachedAuthorizer = (invoke: Invoke) => {
  const cache = new Map<string, { readonly decision: GatewayDecision; readonly until: number }>();
  return async ({ authorizer, key: routeKey }: Route, request: HttpRequest): Promise<GatewayDecision> => {
    if (authorizer === undefined) return {};
    const { functionId, identityHeaders, cacheSeconds } = authorizer;
    const identity = identityHeaders.map((name) => request.headers[name] ?? '');
    if (identity.includes('')) return { refusal: gatewayResponse(401, 'Unauthorized') };
    const key = JSON.stringify([functionId, identity]);
    const now = Date.now();
    const cached = cache.get(key);
    if (cached !== undefined && now < cached.until) return { ...cached.decision, authorizer: 'hit' };
    const event = authorizerEvent(request, routeKey, identity);
    const result = await invoke(functionId, event).catch(failureResponse);
    const decision = decisionSchema.safeParse(result).data;
    if (decision === undefined)
      return { refusal: gatewayResponse(500, 'Internal Server Error'), authorizer: 'miss' };
    if (cache.size >= maxDecisions) cache.clear();
    cache.set(key, { decision, until: now + cacheSeconds * 1000 });
    return { ...decision, authorizer: 'miss' };
  };
};
