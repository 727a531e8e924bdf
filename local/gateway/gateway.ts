import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AuthorizerCache, cachedAuthorizer, type Decide } from './authorizer.ts';
import { corsHeaders, preflightResponse } from './cors.ts';
import type { Deployment } from './deployment.ts';
import { type Arrival, functionEvent, type HttpRequest, type RouteMatch, splitTarget } from './event.ts';
import { type Integration, integrate } from './integration.ts';
import { announcesTooMuch, readRequest } from './read-request.ts';
import { refuseMalformedRequests } from './refusal.ts';
import { gatewayResponse, type HttpResponse } from './response.ts';
import { matchRoute } from './routing.ts';

interface Outcome {
  readonly response: HttpResponse;
  /** Undefined for a request that matched no route. */
  readonly routeKey?: string | undefined;
  /** Undefined for a request without an authorizer. */
  readonly authorizer?: AuthorizerCache | undefined;
  readonly authorizerError?: string | undefined;
  /** What the authorizer says about the caller. */
  readonly authorizerContext?: unknown;
  /** Undefined for a request that did not reach a function. */
  readonly integration?: Integration | undefined;
  /** A line of the API's access log, with `$context` variables. */
  readonly accessLogFormat?: string | undefined;
}

/** A request with its response. */
export interface Exchange extends Outcome, Arrival {
  readonly method: string;
  readonly path: string;
  /** From the complete request to the response. */
  readonly milliseconds: number;
}

/** Pages that are not part of the API; undefined for a path without one. */
export type Pages = (request: HttpRequest) => Promise<HttpResponse> | undefined;

type Respond = (request: HttpRequest, arrival: Arrival) => Promise<Outcome>;

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
  const respond: Respond = async (request, arrival) => {
    const page = pages(request);
    if (page !== undefined) return { response: await page };
    const deployment = await current();
    const { accessLogFormat } = deployment.api;
    return { ...(await respondWith(deployment)(request, arrival)), accessLogFormat };
  };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    const arrival = { requestId: crypto.randomUUID(), time: Date.now() };
    const start = performance.now();
    const outcome: Outcome = hasOneHost(message)
      ? await respond(request, arrival)
      : { response: gatewayResponse(400, 'Bad Request') };
    const milliseconds = performance.now() - start;
    const { statusCode, body } = outcome.response;
    const headers = { ...outcome.response.headers, 'apigw-requestid': arrival.requestId };
    if (request.body === undefined) await refuse(message.socket, { statusCode, headers, body }, response);
    else {
      response.writeHead(statusCode, {
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : [...value],
          ]),
        ),
        'content-length': body.length,
        // Node ignores what follows a request to upgrade, so the client must not wait for more responses.
        ...(message.headers.upgrade !== undefined && { connection: 'close' }),
      });
      response.end(body);
    }
    const { path } = splitTarget(request.target);
    onExchange({ ...outcome, ...arrival, method: request.method, path, milliseconds });
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
    if (response.socket !== null && !announcesTooMuch(message)) response.writeContinue();
    server.emit('request', message, response);
  });
  const refuse = refuseMalformedRequests(server);
  return server;
};

/** An HTTP API's quota for the request line and the headers, in bytes. */
const maxHeaderSize = 10_240;

/** Whether a request has exactly one Host header, as HTTP/1.1 requires (RFC 9112 section 3.2). */
const hasOneHost = ({ httpVersion, headersDistinct }: IncomingMessage): boolean =>
  httpVersion === '1.0' || headersDistinct['host']?.length === 1;

const responder = (deployment: Deployment): Respond => {
  const decide = cachedAuthorizer(deployment);
  return async (request, arrival) => {
    const { api } = deployment;
    const preflight = preflightResponse(api.cors, request);
    if (preflight !== undefined) return { response: preflight };
    const { response, ...outcome } = await route(deployment, decide, request, arrival);
    const headers = { ...response.headers, ...corsHeaders(api.cors, request) };
    return { ...outcome, response: { ...response, headers } };
  };
};

const route = async (
  deployment: Deployment,
  decide: Decide,
  request: HttpRequest,
  arrival: Arrival,
): Promise<Outcome> => {
  const match = matchRoute(deployment.api.routes, request.method, splitTarget(request.target).path);
  if (match === undefined) return { response: gatewayResponse(404, 'Not Found') };
  const { route: matched, pathParameters } = match;
  const routeKey = matched.key;
  if (request.body === undefined)
    return { response: gatewayResponse(413, 'Request Entity Too Large'), routeKey };
  const routeMatch: RouteMatch = { ...arrival, routeKey, pathParameters };
  const invoke = (context: unknown): ReturnType<typeof integrate> =>
    integrate(deployment, matched, functionEvent(request, routeMatch, context));
  if (matched.authorizer === undefined) return { routeKey, ...(await invoke(undefined)) };

  const { decision, authorizer } = await decide(matched.authorizer, request, routeMatch);
  switch (decision.type) {
    case 'no-identity':
      return { response: gatewayResponse(401, 'Unauthorized'), routeKey };
    case 'failed':
      return {
        response: gatewayResponse(500, 'Internal Server Error'),
        routeKey,
        authorizer,
        authorizerError: decision.error,
      };
    case 'denied':
      return { response: gatewayResponse(403, 'Forbidden'), routeKey, authorizer };
    case 'allowed':
      return {
        routeKey,
        authorizer,
        authorizerContext: decision.context,
        ...(await invoke(decision.context)),
      };
  }
};
