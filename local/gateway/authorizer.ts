import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { InvocationError } from '../lambda/invocation.ts';
import type { Authorizer } from '../stack/stack.ts';
import type { Deployment } from './deployment.ts';
import { authorizerEvent, type HttpRequest, joined, type RouteMatch } from './event.ts';

/** Whether the authorizer's response was in the gateway's cache. */
export type AuthorizerCache = 'hit' | 'miss';

type Decision =
  | { readonly type: 'no-identity' | 'denied' }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'allowed'; readonly context: unknown };

/** Decides whether to allow a request: invokes its authorizer, or uses the cached response. */
export type Decide = (
  authorizer: Authorizer,
  request: HttpRequest,
  match: RouteMatch,
) => Promise<{ readonly decision: Decision; readonly authorizer?: AuthorizerCache }>;

const simpleResponse = z.object({ isAuthorized: z.boolean(), context: z.unknown().optional() });

/** Invokes authorizers, and caches their responses for the time that the API configures. A failure is not cached. */
export const cachedAuthorizer = ({ invoke }: Deployment): Decide => {
  const cache = new LRUCache<string, Decision>({ max: 1000 });
  return async ({ functionId, identityHeaders, cacheSeconds }, request, match) => {
    const identity = identityHeaders.map((name) => joined(request.headers[name]));
    if (identity.some((value) => value === '')) return { decision: { type: 'no-identity' } };
    const key = JSON.stringify([functionId, identity]);
    const known = cache.get(key);
    if (known !== undefined) return { decision: known, authorizer: 'hit' };
    const failed = (error: string) => ({ decision: { type: 'failed', error }, authorizer: 'miss' }) as const;
    let response: unknown;
    try {
      response = await invoke(functionId, authorizerEvent(request, match, identity));
    } catch (error) {
      if (!(error instanceof InvocationError)) throw error;
      return failed(error.message);
    }
    const { data } = simpleResponse.safeParse(response);
    if (data === undefined) return failed('The authorizer returned an invalid response.');
    const decision: Decision = data.isAuthorized
      ? { type: 'allowed', context: data.context }
      : { type: 'denied' };
    if (cacheSeconds > 0) cache.set(key, decision, { ttl: cacheSeconds * 1000 });
    return { decision, authorizer: 'miss' };
  };
};
