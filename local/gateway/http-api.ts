import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Invoke } from '../lambda/invoke.ts';
import { useOriginForm } from '../server/origin-form.ts';
import { authorizerEvent, functionEvent, requestEvent } from './event.ts';
import { findRoute, type Match, type Route } from './routes.ts';

// A static import reads every export of the module, which loads undici and delays the start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * How long a connection stays open between two requests, in milliseconds. With the default of Node.js, 5 s, a
 * client's next request can meet the close.
 */
const keepAliveTimeout = 300_000;

/** AWS: "Quotas for configuring and running an HTTP API in API Gateway", payload size. */
const maxBodyBytes = 10 * 1024 * 1024;

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

/** Reads the body of a request; undefined if it is larger than an HTTP API accepts. */
export type ReadBody = () => Promise<Buffer | undefined>;

/** Responds to a request. A response may come before the body, which is then discarded. */
export type Respond = (
  message: IncomingMessage,
  requestId: string,
  readBody: ReadBody,
) => Promise<HttpResponse>;

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
  const decisions = new Map<string, v.InferOutput<typeof decisionSchema>>();

  /** The result of a function; undefined if it is malformed, or if the function failed, and printed why. */
  const resultOf = async <Schema extends v.GenericSchema>(
    invoked: Promise<unknown>,
    schema: Schema,
  ): Promise<v.InferOutput<Schema> | undefined> => {
    try {
      return v.parse(schema, await invoked);
    } catch (error) {
      if (v.isValiError(error))
        log(`A function returned no valid ${v.getDotPath(error.issues[0]) ?? 'object'}.`);
      return undefined;
    }
  };

  const respond = async (
    message: IncomingMessage,
    requestId: string,
    readBody: ReadBody,
    route: Match | undefined,
  ): Promise<HttpResponse> => {
    if (route === undefined) return gatewayResponse(404, 'Not Found');
    const identity = message.headersDistinct['authorization']?.join(',') ?? '';
    if (identity === '') return gatewayResponse(401, 'Unauthorized');
    const event = requestEvent(message, route, requestId);
    const cached = decisions.get(identity);
    const decision = cached ?? (await resultOf(authorize(authorizerEvent(event, identity)), decisionSchema));
    if (decision === undefined) return gatewayResponse(500, 'Internal Server Error');
    if (cached === undefined) {
      decisions.set(identity, decision);
      setTimeout(() => decisions.delete(identity), cacheSeconds * 1000).unref();
    }
    if (!decision.isAuthorized) return gatewayResponse(403, 'Forbidden');
    const body = await readBody();
    if (body === undefined) return gatewayResponse(413, 'Request Entity Too Large');
    const invoked = route.invoke(functionEvent(event, decision.context, body));
    return (await resultOf(invoked, responseSchema)) ?? gatewayResponse(500, 'Internal Server Error');
  };

  return async (message, requestId, readBody) => {
    const start = performance.now();
    const [path = ''] = message.url?.split('?', 1) ?? [];
    const route = findRoute(routes, message.method ?? '', path);
    const response = await respond(message, requestId, readBody, route);
    const took = (performance.now() - start).toFixed();
    log(`${route?.key ?? 'no route'} ${String(response.statusCode)}, ${took} ms`);
    return response;
  };
};

/** An HTTP server in front of an API. */
export const gatewayServer = (respond: Respond): Server => {
  const handle = async (message: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    useOriginForm(message);
    const requestId = crypto.randomUUID();
    let mayOmitBody = expectsContinue;
    const readBody: ReadBody = async () => {
      if (Number(message.headers['content-length'] ?? 0) > maxBodyBytes) return undefined;
      if (expectsContinue) response.writeContinue();
      mayOmitBody = false;
      return bodyOf(message);
    };
    const { statusCode, headers, body, isBase64Encoded } = await respond(message, requestId, readBody);
    const content = Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
    response.writeHead(statusCode, {
      'content-type': 'text/plain;charset=UTF-8',
      ...headers,
      'content-length': content.length,
      'apigw-requestid': requestId,
      // A client that was not told to continue may omit the body, or send it: what follows is ambiguous.
      ...(mayOmitBody && { connection: 'close' }),
    });
    response.end(content);
    // A client may read the response only after it has sent the whole body.
    message.resume();
  };
  const listener = (expectsContinue: boolean) => (message: IncomingMessage, response: ServerResponse) => {
    handle(message, response, expectsContinue).catch(() => response.destroy());
  };
  // An HTTP API's quota for the request line and the headers, in bytes.
  return createServer({ maxHeaderSize: 10_240, keepAliveTimeout }, listener(false)).on(
    'checkContinue',
    listener(true),
  );
};

/** Reads a body as it arrives; undefined, without the rest, as soon as it is too large. */
const bodyOf = (message: IncomingMessage): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    message
      .on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes <= maxBodyBytes) parts.push(part);
        else resolve(undefined);
      })
      .on('end', () => {
        resolve(Buffer.concat(parts));
      })
      .on('error', reject);
  });
