import { createServer, type Server } from 'node:http';
import type { Respond } from './api-responder.ts';
import { type HttpRequest, readRequest } from './event.ts';
import type { HttpResponse } from './response.ts';

/** A request with its response. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly milliseconds: number;
}

/** An HTTP API's quota for the request line and the headers, in bytes. */
const maxHeaderSize = 10_240;

/**
 * An HTTP server in front of an API. It reads no body, so a large one takes no memory.
 * @param onExchange called after each response
 */
export const gatewayServer = (
  respond: Respond,
  onExchange: (exchange: Exchange) => void = () => undefined,
): Server =>
  createServer({ maxHeaderSize }, (message, serverResponse) => {
    const start = performance.now();
    const request = readRequest(message);
    respond(request)
      .then((response) => {
        const { statusCode, headers, body } = response;
        const own = { 'content-length': body.length, 'apigw-requestid': request.id };
        serverResponse.writeHead(statusCode, { ...headers, ...own }).end(body);
        onExchange({ request, response, milliseconds: performance.now() - start });
      })
      .catch((error: unknown) => {
        console.error(error);
        serverResponse.destroy();
      });
  });
