import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import type { Invoke } from '../lambda.ts';
import { authorizerEvent, functionEvent, requestEvent } from './event.ts';
import { findRoute, type Match, type Route } from './find-route.ts';

const decisionSchema = v.object({ isAuthorized: v.boolean(), context: v.optional(v.unknown()) });

/** AWS: "Create AWS Lambda proxy integrations for HTTP APIs in API Gateway", response format version 2.0. */
const responseSchema = v.object({
  statusCode: v.pipe(v.unknown(), v.toNumber(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.optional(v.record(v.pipe(v.string(), v.toLowerCase()), v.pipe(v.unknown(), v.toString())), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean()),
});

/** A response of a function, or of this server itself. */
export type HttpResponse = Readonly<v.InferOutput<typeof responseSchema>>;

/** Responds to a request. */
export type Respond = (message: IncomingMessage, requestId: string) => Promise<HttpResponse>;

/** One of the gateway's own responses, which cannot be customized on an HTTP API. */
export const gatewayResponse = (statusCode: number, message: string): HttpResponse => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

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

  const respond = async (message: IncomingMessage, requestId: string, route?: Match) => {
    if (route === undefined) return gatewayResponse(404, 'Not Found');
    const body = await buffer(message);
    const identity = message.headersDistinct['authorization']?.join(',') ?? '';
    if (identity === '') return gatewayResponse(401, 'Unauthorized');
    const event = requestEvent(message, route, requestId);
    try {
      const cached = cache.get(identity);
      const decision = cached ?? v.parse(decisionSchema, await authorize(authorizerEvent(event, identity)));
      if (cached === undefined) {
        cache.set(identity, decision);
        setTimeout(() => cache.delete(identity), cacheSeconds * 1000).unref();
      }
      if (!decision.isAuthorized) return gatewayResponse(403, 'Forbidden');
      return v.parse(responseSchema, await route.invoke(functionEvent(event, decision.context, body)));
    } catch (error) {
      // What a function throws, it prints itself.
      if (v.isValiError(error))
        log(`A function returned no valid ${v.getDotPath(error.issues[0]) ?? 'object'}.`);
      return gatewayResponse(500, 'Internal Server Error');
    }
  };

  return async (message, requestId) => {
    const start = performance.now();
    const [path = ''] = message.url?.split('?', 1) ?? [];
    const route = findRoute(routes, message.method ?? '', path);
    const response = await respond(message, requestId, route);
    const took = (performance.now() - start).toFixed();
    log(`${route?.key ?? 'no route'} ${String(response.statusCode)}, ${took} ms`);
    return response;
  };
};

/** An HTTP server in front of an API. It keeps no connection: the next request may be for the next server. */
export const gatewayServer = (respond: Respond): Server => {
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = crypto.randomUUID();
    const { statusCode, headers, body, isBase64Encoded } = await respond(message, requestId);
    const content = Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
    const own = { 'content-length': content.length, 'apigw-requestid': requestId, connection: 'close' };
    response.writeHead(statusCode, { 'content-type': 'text/plain;charset=UTF-8', ...headers, ...own });
    response.end(content);
  };
  // An HTTP API's quota for the request line and the headers, in bytes.
  const server = createServer({ maxHeaderSize: 10_240 }, (message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  // Node.js takes a connection for idle while its response is still being sent.
  server.closeIdleConnections = () => undefined;
  return server;
};
