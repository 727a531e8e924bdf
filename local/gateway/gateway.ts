import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { styleText } from 'node:util';
import { count } from '../../cli/terminal/count.ts';
import { escaped } from '../../cli/terminal/escaped.ts';
import type { HttpResponse, Respond } from './http-api.ts';

/** An HTTP API's quota for the request line and the headers, in bytes. */
const maxHeaderSize = 10_240;

/**
 * An HTTP server in front of an API. When it is closed, it forwards requests on kept connections to the
 * server that listens on its port then.
 * @param log receives the access log's line of each response
 */
export const gatewayServer = (respond: Respond, log: (line: string) => void = () => undefined): Server => {
  const handle = async (message: IncomingMessage, serverResponse: ServerResponse): Promise<void> => {
    const start = performance.now();
    const requestId = crypto.randomUUID();
    const response = await respond(message, requestId);
    const { statusCode, headers, body } = response;
    const own = { 'content-length': Buffer.byteLength(body), 'apigw-requestid': requestId };
    if (!server.listening) serverResponse.setHeader('connection', 'close');
    serverResponse.writeHead(statusCode, { ...headers, ...own }).end(body);
    log(accessLogLine(message, response, performance.now() - start));
  };
  const server = createServer({ maxHeaderSize }, (message, response) => {
    if (!server.listening) forward(message, response);
    else handle(message, response).catch(() => response.destroy());
  });
  // A request can be on its way on an idle connection.
  server.closeIdleConnections = () => undefined;
  return server;
};

const forward = (message: IncomingMessage, response: ServerResponse): void => {
  const { method, url: path, rawHeaders: headers, socket } = message;
  const target = { host: socket.localAddress, port: socket.localPort, agent: false };
  const forwarded = request({ ...target, method, path, headers }, (received) => {
    response.writeHead(received.statusCode ?? 0, { ...received.headers, connection: 'close' });
    received.pipe(response);
  });
  message.pipe(forwarded.on('error', () => response.destroy()));
};

/** Shorter than a token's signature, so that a token put into the path by mistake is not logged in full. */
const maxPathLength = 80;

/** Without the query string, because a cursor holds a plant's name. */
const accessLogLine = (
  { method = '', url = '' }: IncomingMessage,
  { statusCode, body, authorizer }: HttpResponse,
  milliseconds: number,
): string => {
  const path = escaped(url.replace(/\?.*/, '').slice(0, maxPathLength));
  const status = styleText(statusCode < 400 ? 'green' : 'red', String(statusCode));
  const parts = [`${method} ${path} ${status}`, count(Buffer.byteLength(body), 'byte')];
  const decided = authorizer === undefined ? [] : [`authorizer ${authorizer}`];
  return [...parts, `${milliseconds.toFixed()} ms`, ...decided].join(', ');
};
