import { z } from 'zod';
import { InvocationError, type Invoke } from '../lambda/invocation.ts';
import type { Route } from '../stack/read-stack.ts';
import { authorizerEvent, type HttpRequest } from './event.ts';
import { gatewayResponse, type HttpResponse } from './response.ts';

/** Whether the authorizer's response was in the gateway's cache. */
export type AuthorizerCache = 'hit' | 'miss';

interface GatewayDecision {
  /** Undefined for a request that is allowed. */
  readonly refusal?: HttpResponse;
  /** What the authorizer tells the function about the caller. */
  readonly context?: unknown;
}

/** Decides whether to allow a request: invokes the route's authorizer, if it has one, or uses the cached response. */
export type Decide = (
  route: Route,
  request: HttpRequest,
) => Promise<GatewayDecision & { readonly authorizer?: AuthorizerCache }>;

const maxDecisions = 1000;

/** One for all: the cache would keep the pool of each small buffer. */
const denial: GatewayDecision = { refusal: gatewayResponse(403, 'Forbidden') };

const decisionSchema = z
  .object({ isAuthorized: z.boolean(), context: z.unknown().optional() })
  .transform(({ isAuthorized, context }): GatewayDecision => (isAuthorized ? { context } : denial));

/** Invokes authorizers, and caches their responses for the time that the API configures. A failure is not cached. */
export const cachedAuthorizer = (invoke: Invoke): Decide => {
  const cache = new Map<string, { readonly decision: GatewayDecision; readonly until: number }>();
  return async ({ authorizer, key: routeKey }, request) => {
    if (authorizer === undefined) return {};
    const { functionId, identityHeaders, cacheSeconds } = authorizer;
    const identity = identityHeaders.map((name) => request.headers[name] ?? '');
    if (identity.includes('')) return { refusal: gatewayResponse(401, 'Unauthorized') };
    const key = JSON.stringify([functionId, identity]);
    const known = cache.get(key);
    const now = Date.now();
    if (known !== undefined && now <= known.until) return { ...known.decision, authorizer: 'hit' };
    const response = await invoke(functionId, authorizerEvent(request, routeKey, identity)).catch(
      (error: unknown) => {
        if (!(error instanceof InvocationError)) throw error;
      },
    );
    const decision = decisionSchema.safeParse(response).data;
    if (decision === undefined)
      return { refusal: gatewayResponse(500, 'Internal Server Error'), authorizer: 'miss' };
    cache.delete(key);
    // A map's first key is its oldest.
    const [oldest] = cache.keys();
    if (cache.size >= maxDecisions && oldest !== undefined) cache.delete(oldest);
    if (cacheSeconds > 0) cache.set(key, { decision, until: now + cacheSeconds * 1000 });
    return { ...decision, authorizer: 'miss' };
  };
};
