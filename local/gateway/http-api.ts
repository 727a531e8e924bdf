import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import type { Invoke } from '../lambda.ts';
import { authorizerEvent, functionEvent, requestEvent } from './event.ts';
import { findRoute, type Match, type Route } from './find-route.ts';

/** A response of the gateway. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Responds to a request. */
export type Respond = (message: IncomingMessage, requestId: string) => Promise<HttpResponse>;

/** One of the gateway's own responses, which cannot be customized on an HTTP API. */
export const gatewayResponse = (statusCode: number, message: string): HttpResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

const decisionSchema = v.object({ isAuthorized: v.boolean(), context: v.optional(v.unknown()) });

/** AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", response format version 2.0. */
const responseSchema = v.pipe(
  v.object({
    statusCode: v.pipe(v.unknown(), v.toNumber(), v.integer(), v.minValue(100), v.maxValue(599)),
    headers: v.optional(v.record(v.pipe(v.string(), v.toLowerCase()), v.pipe(v.unknown(), v.toString())), {}),
    body: v.optional(v.string(), ''),
    isBase64Encoded: v.optional(v.boolean(), false),
  }),
  v.transform(({ statusCode, headers, body, isBase64Encoded }): HttpResponse => ({
    statusCode,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  })),
);

/**
 * An HTTP API with one authorizer, which decides by the Authorization header.
 * @param cacheSeconds how long a decision is cached; a failure is not
 * @param log receives a line for each response. As in the deployed API's access log, it has the route's key
 * and not the path, which can hold a plant's name.
 */
export const httpApi = (
  routes: readonly Route[],
  authorize: Invoke,
  cacheSeconds: number,
  log: (line: string) => void = () => undefined,
): Respond => {
  const cache = new Map<string, v.InferOutput<typeof decisionSchema>>();

  const respond = async (
    match: Match,
    message: IncomingMessage,
    requestId: string,
  ): Promise<HttpResponse> => {
    const body = await buffer(message);
    const identity = message.headersDistinct['authorization']?.join(',') ?? '';
    if (identity === '') return gatewayResponse(401, 'Unauthorized');
    const event = requestEvent(message, match, requestId);
    try {
      const cached = cache.get(identity);
      const decision = cached ?? v.parse(decisionSchema, await authorize(authorizerEvent(event, identity)));
      if (cached === undefined) {
        cache.set(identity, decision);
        setTimeout(() => cache.delete(identity), cacheSeconds * 1000).unref();
      }
      if (!decision.isAuthorized) return gatewayResponse(403, 'Forbidden');
      return v.parse(responseSchema, await match.route.invoke(functionEvent(event, decision.context, body)));
    } catch {
      // A function threw, or returned something else.
      return gatewayResponse(500, 'Internal Server Error');
    }
  };

  return async (message, requestId) => {
    const start = performance.now();
    const { method = '', url = '' } = message;
    const match = findRoute(routes, method, url.replace(/\?.*/, ''));
    const response =
      match === undefined ? gatewayResponse(404, 'Not Found') : await respond(match, message, requestId);
    const route = match?.route.key ?? 'no route';
    log(`${route} ${String(response.statusCode)}, ${(performance.now() - start).toFixed()} ms`);
    return response;
  };
};
