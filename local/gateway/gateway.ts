import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AuthorizerCache, cachedAuthorizer, type Decide } from './authorizer.ts';
import { corsHeaders, preflightResponse } from './cors.ts';
import type { Deployment } from './deployment.ts';
import { functionEvent, type HttpRequest, type RouteMatch, splitTarget } from './event.ts';
import { integrate } from './integration.ts';
import { rejectMalformedRequests } from './malformed-request.ts';
import { readRequest } from './read-request.ts';
import { gatewayResponse, type HttpResponse } from './response.ts';
import { matchRoute } from './routing.ts';

interface Outcome {
  readonly response: HttpResponse;
  /** Undefined for a request without an authorizer. */
  readonly authorizer?: AuthorizerCache | undefined;
}

/** A request with its response. */
export interface Exchange extends Outcome {
  readonly method: string;
  readonly path: string;
  /** From the complete request to the response. */
  readonly milliseconds: number;
}

/** Pages that are not part of the API; undefined for a path without one. */
export type Pages = (request: HttpRequest) => Promise<HttpResponse> | undefined;

type Respond = (request: HttpRequest) => Promise<Outcome>;

/**
 * An HTTP server that behaves like API Gateway's HTTP API: routes, authorizer with its cache, payload format 2.0,
 * CORS, and the gateway's own bodies.
 * @param current the deployment; called once for each request, so that a new one takes effect between requests
 * @param onExchange called after each response
 */
export const gatewayServer = (
  current: () => Promise<Deployment>,
  onExchange: (exchange: Exchange) => void = () => undefined,
  pages: Pages = () => undefined,
): Server => {
  // Cached authorizer decisions are valid for one deployment.
  const responders = new WeakMap<Deployment, Respond>();
  const respondWith = (deployment: Deployment): Respond => {
    const known = responders.get(deployment);
    if (known !== undefined) return known;
    const respond = responder(deployment);
    responders.set(deployment, respond);
    return respond;
  };
  const respond: Respond = async (request) => {
    const page = pages(request);
    return page === undefined ? respondWith(await current())(request) : { response: await page };
  };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    const start = performance.now();
    const outcome: Outcome = hasOneHost(message)
      ? await respond(request)
      : { response: gatewayResponse(400, 'Bad Request') };
    const milliseconds = performance.now() - start;
    const { statusCode, headers, body } = outcome.response;
    response.writeHead(statusCode, {
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : [...value],
        ]),
      ),
      'content-length': body.length,
      'apigw-requestid': crypto.randomUUID(),
      // Node ignores what follows a request to upgrade, so the client must not wait for more responses.
      ...(message.headers.upgrade !== undefined && { connection: 'close' }),
    });
    response.end(body);
    onExchange({ method: request.method, path: splitTarget(request.target).path, milliseconds, ...outcome });
  };
  const server = createServer({ maxHeaderSize, requireHostHeader: false }, (message, response) => {
    handle(message, response).catch((error: unknown) => {
      // A client that disconnects before its request is complete is not an error.
      if (message.complete) console.error(error);
      response.destroy();
    });
  });
  // A server may ignore an unknown expectation (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (message, response) => server.emit('request', message, response));
  server.on('checkContinue', (message, response) => {
    // While an earlier response is sent, Node would write the 100 into the middle of it.
    if (response.socket !== null) response.writeContinue();
    server.emit('request', message, response);
  });
  rejectMalformedRequests(server);
  return server;
};

/** An HTTP API's quota for the request line and the headers, in bytes. */
const maxHeaderSize = 10_240;

/** Whether a request has exactly one Host header, as HTTP/1.1 requires (RFC 9112 section 3.2). */
const hasOneHost = ({ httpVersion, headersDistinct }: IncomingMessage): boolean =>
  httpVersion === '1.0' || headersDistinct['host']?.length === 1;

const responder = (deployment: Deployment): Respond => {
  const decide = cachedAuthorizer(deployment);
  return async (request) => {
    const { api } = deployment;
    const preflight = preflightResponse(api.cors, request);
    if (preflight !== undefined) return { response: preflight };
    const { response, authorizer } = await route(deployment, decide, request);
    const headers = { ...response.headers, ...corsHeaders(api.cors, request) };
    return { response: { ...response, headers }, authorizer };
  };
};

const route = async (deployment: Deployment, decide: Decide, request: HttpRequest): Promise<Outcome> => {
  const match = matchRoute(deployment.api.routes, request.method, splitTarget(request.target).path);
  if (match === undefined) return { response: gatewayResponse(404, 'Not Found') };
  if (request.body === undefined) return { response: gatewayResponse(413, 'Request Entity Too Large') };
  const { route: matched, pathParameters } = match;
  const routeMatch: RouteMatch = {
    routeKey: matched.key,
    pathParameters,
    requestId: crypto.randomUUID(),
    time: Date.now(),
  };
  if (matched.authorizer === undefined)
    return { response: await integrate(deployment, matched, functionEvent(request, routeMatch, undefined)) };

  const { decision, authorizer } = await decide(matched.authorizer, request, routeMatch);
  const respond = (): HttpResponse | Promise<HttpResponse> => {
    switch (decision.type) {
      case 'no-identity':
        return gatewayResponse(401, 'Unauthorized');
      case 'failed':
        return gatewayResponse(500, 'Internal Server Error');
      case 'denied':
        return gatewayResponse(403, 'Forbidden');
      case 'allowed':
        return integrate(deployment, matched, functionEvent(request, routeMatch, decision.context));
    }
  };
  return { response: await respond(), authorizer };
};
