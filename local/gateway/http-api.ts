import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import type { Invoke } from '../lambda/invoke.ts';
import { authorizerEvent, functionEvent, type RequestEvent, requestEvent } from './event.ts';
import { gatewayResponse, type HttpResponse, responseSchema } from './response.ts';
import { type Match, type Route, routeFinder } from './routes.ts';

const decisionSchema = v.object({ isAuthorized: v.boolean(), context: v.optional(v.unknown()) });

/** What the authorizer returned for a request. */
type Decision = v.InferOutput<typeof decisionSchema>;

/** Reads the body of a request; undefined if it is larger than an HTTP API accepts. */
export type ReadBody = () => Promise<Buffer | undefined>;

/** Responds to a request. If it responds without reading the body, the body is discarded. */
export type Respond = (
  message: IncomingMessage,
  requestId: string,
  readBody: ReadBody,
) => Promise<HttpResponse>;

/**
 * An HTTP API with one authorizer, which decides by the Authorization header.
 * @param cacheSeconds how long a decision is cached; a failure of the authorizer is not cached
 * @param log receives a line for each response. As in the deployed API's access log, the line has the route's
 * key instead of the path, because a path can hold a plant's name.
 */
export const httpApi = (
  routes: readonly Route[],
  authorize: Invoke,
  cacheSeconds: number,
  log: (line: string) => void = () => undefined,
): Respond => {
  const findRoute = routeFinder(routes);
  const decisions = new Map<string, Decision>();

  /** A function's result; undefined if the function failed (and printed why), or the result is malformed. */
  const resultOf = async <Schema extends v.GenericSchema>(
    invocation: Promise<unknown>,
    schema: Schema,
    invoked: string,
  ): Promise<v.InferOutput<Schema> | undefined> => {
    try {
      return v.parse(schema, await invocation);
    } catch (error) {
      if (v.isValiError(error))
        log(`${invoked} returned no valid ${v.getDotPath(error.issues[0]) ?? 'object'}.`);
      return undefined;
    }
  };

  /** The authorizer's decision; undefined if the authorizer failed. */
  const decide = async (event: RequestEvent, identity: string): Promise<Decision | undefined> => {
    const cached = decisions.get(identity);
    if (cached !== undefined) return cached;
    const invocation = authorize(authorizerEvent(event, identity));
    const decision = await resultOf(invocation, decisionSchema, 'The authorizer');
    if (decision === undefined) return undefined;
    decisions.set(identity, decision);
    setTimeout(() => decisions.delete(identity), cacheSeconds * 1000).unref();
    return decision;
  };

  const respondWith = async (
    route: Match | undefined,
    ...[message, requestId, readBody]: Parameters<Respond>
  ): Promise<HttpResponse> => {
    if (route === undefined) return gatewayResponse(404, 'Not Found');
    const identity = message.headersDistinct['authorization']?.join(',') ?? '';
    if (identity === '') return gatewayResponse(401, 'Unauthorized');
    const event = requestEvent(message, route, requestId);
    const decision = await decide(event, identity);
    if (decision === undefined) return gatewayResponse(500, 'Internal Server Error');
    if (!decision.isAuthorized) return gatewayResponse(403, 'Forbidden');
    const body = await readBody();
    if (body === undefined) return gatewayResponse(413, 'Request Entity Too Large');
    const invocation = route.invoke(functionEvent(event, decision.context, body));
    const response = await resultOf(invocation, responseSchema, `The function of ${route.key}`);
    return response ?? gatewayResponse(500, 'Internal Server Error');
  };

  return async (message, requestId, readBody) => {
    const start = performance.now();
    const [path = ''] = message.url?.split('?', 1) ?? [];
    const route = findRoute(message.method ?? '', path);
    const response = await respondWith(route, message, requestId, readBody);
    const milliseconds = (performance.now() - start).toFixed();
    log(`${route?.key ?? 'no route'} ${String(response.statusCode)}, ${milliseconds} ms`);
    return response;
  };
};
