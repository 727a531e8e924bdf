import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { corsHeaders, preflightResponse } from './cors.ts';
import { InvocationError } from '../lambda/execution-environment.ts';
import {
  authorizerEvent,
  functionEvent,
  type HttpRequest,
  joined,
  type RouteMatch,
  splitTarget,
} from './event.ts';
import { gatewayResponse, type HttpResponse, responseFrom } from './response.ts';
import { answerMalformedRequests } from './malformed-request.ts';
import { matchRoute } from './routing.ts';
import type { Authorizer, HttpApi, Route } from '../stack/stack.ts';

/** An API with the functions behind it. */
export interface Deployment {
  readonly api: HttpApi;
  /**
   * Runs a function by its logical id.
   * @throws {InvocationError} when it gave no result
   */
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
}

/** Whether the authorizer's answer for a request was one that the gateway had kept. */
export type AuthorizerCache = 'hit' | 'miss';

interface Answered {
  readonly response: HttpResponse;
  /** Undefined where no authorizer was needed. */
  readonly authorizer?: AuthorizerCache | undefined;
}

/** A request and what came of it. */
export interface Exchange extends Answered {
  readonly method: string;
  readonly path: string;
  /** From the whole request to the answer. */
  readonly milliseconds: number;
}

type Answer = (request: HttpRequest) => Promise<Answered>;

/**
 * An HTTP server that behaves like API Gateway's HTTP API: routes, authorizer with its cache, payload format 2.0,
 * CORS, and the gateway's own bodies.
 * @param current the deployment to use; asked once per request, so that a new one takes over between requests
 * @param onExchange told of each request that was answered
 */
export const gatewayServer = (
  current: () => Promise<Deployment>,
  onExchange: (exchange: Exchange) => void = () => undefined,
): Server => {
  // A deployment's authorizer decisions go with it.
  const answers = new WeakMap<Deployment, Answer>();
  const answerOf = (deployment: Deployment): Answer => {
    const known = answers.get(deployment);
    if (known !== undefined) return known;
    const made = answerer(deployment);
    answers.set(deployment, made);
    return made;
  };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    const start = performance.now();
    const answered: Answered = hasOneHost(message)
      ? await answerOf(await current())(request)
      : { response: gatewayResponse(400, 'Bad Request') };
    const milliseconds = performance.now() - start;
    const { statusCode, headers, body } = answered.response;
    response.writeHead(statusCode, {
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : [...value],
        ]),
      ),
      'content-length': body.length,
      'apigw-requestid': crypto.randomUUID(),
      // Node reads nothing behind a request to upgrade, so whoever waits for more answers must know.
      ...(message.headers.upgrade !== undefined && { connection: 'close' }),
    });
    response.end(body);
    onExchange({ method: request.method, path: splitTarget(request.target).path, milliseconds, ...answered });
  };
  const server = createServer({ maxHeaderSize, requireHostHeader: false }, (message, response) => {
    handle(message, response).catch((error: unknown) => {
      // A caller who left before the whole request was there is no mistake of ours.
      if (message.complete) console.error(error);
      response.destroy();
    });
  });
  // A server may take no notice of an expectation it does not know (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (message, response) => server.emit('request', message, response));
  server.on('checkContinue', (message, response) => {
    // Where another answer comes first, Node would write this one into the middle of a later.
    if (response.socket !== null) response.writeContinue();
    server.emit('request', message, response);
  });
  answerMalformedRequests(server);
  return server;
};

/** An HTTP API's quota for the request line and the headers, in bytes. */
const maxHeaderSize = 10_240;

/** Whether a request says once which host it is for, as HTTP/1.1 asks (RFC 9112 section 3.2). */
const hasOneHost = ({ httpVersion, headersDistinct }: IncomingMessage): boolean =>
  httpVersion === '1.0' || headersDistinct['host']?.length === 1;

const answerer = (deployment: Deployment): Answer => {
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

const route = async (deployment: Deployment, decide: Decide, request: HttpRequest): Promise<Answered> => {
  const match = matchRoute(deployment.api.routes, request.method, splitTarget(request.target).path);
  if (match === undefined) return { response: gatewayResponse(404, 'Not Found') };
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

type Decision =
  | { readonly type: 'no-identity' | 'failed' | 'denied' }
  | { readonly type: 'allowed'; readonly context: unknown };
type Decide = (
  authorizer: Authorizer,
  request: HttpRequest,
  match: RouteMatch,
) => Promise<{ readonly decision: Decision; readonly authorizer?: AuthorizerCache }>;

const simpleResponse = z.object({ isAuthorized: z.boolean(), context: z.unknown().optional() });

/** Asks a route's authorizer, and keeps its answers as long as the API says; a failure is not kept. */
const cachedAuthorizer = ({ invoke }: Deployment): Decide => {
  const kept = new LRUCache<string, Decision>({ max: 1000 });
  return async ({ functionId, identityHeaders, cacheSeconds }, request, match) => {
    const identity = identityHeaders.map((name) => joined(request.headers[name]));
    if (identity.some((value) => value === '')) return { decision: { type: 'no-identity' } };
    const key = JSON.stringify([functionId, identity]);
    const known = kept.get(key);
    if (known !== undefined) return { decision: known, authorizer: 'hit' };
    const failed = { decision: { type: 'failed' }, authorizer: 'miss' } as const;
    let response: unknown;
    try {
      response = await invoke(functionId, authorizerEvent(request, match, identity));
    } catch (error) {
      if (!(error instanceof InvocationError)) throw error;
      return failed;
    }
    const { data } = simpleResponse.safeParse(response);
    if (data === undefined) return failed;
    const decision: Decision = data.isAuthorized
      ? { type: 'allowed', context: data.context }
      : { type: 'denied' };
    if (cacheSeconds > 0) kept.set(key, decision, { ttl: cacheSeconds * 1000 });
    return { decision, authorizer: 'miss' };
  };
};

const integrate = async (
  { invoke }: Deployment,
  { functionId, timeout }: Route,
  event: unknown,
): Promise<HttpResponse> => {
  let timer: NodeJS.Timeout | undefined;
  const unavailable = new Promise<HttpResponse>((resolve) => {
    timer = setTimeout(() => {
      resolve(gatewayResponse(503, 'Service Unavailable'));
    }, timeout);
  });
  const answered = invoke(functionId, event).then(
    (result) => responseFrom(result) ?? gatewayResponse(500, 'Internal Server Error'),
    (error: unknown) => {
      if (!(error instanceof InvocationError)) throw error;
      return error.kind === 'timed-out'
        ? gatewayResponse(503, 'Service Unavailable')
        : gatewayResponse(500, 'Internal Server Error');
    },
  );
  try {
    return await Promise.race([answered, unavailable]);
  } finally {
    clearTimeout(timer);
  }
};

const readRequest = async (message: IncomingMessage): Promise<HttpRequest> => ({
  method: message.method ?? '',
  target: message.url ?? '',
  headers: message.headersDistinct,
  // Node says nothing of a broken body behind a request to upgrade, so nobody waits for one.
  body: message.headers.upgrade === undefined ? await buffer(message) : Buffer.alloc(0),
  sourceIp: message.socket.remoteAddress ?? '',
});
