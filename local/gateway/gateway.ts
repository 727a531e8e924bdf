import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { styleText } from 'node:util';
import { count } from '../../cli/terminal/count.ts';
import { escaped } from '../../cli/terminal/escaped.ts';
import { readEvent, type RequestEvent } from './event.ts';
import { gatewayResponse, type HttpResponse, type Respond } from './http-api.ts';

/** An HTTP API's quota for the request line and the headers, in bytes. */
const maxHeaderSize = 10_240;
/** An HTTP API's quota for a body, in bytes. */
const maxBodySize = 10 * 1024 * 1024;

/**
 * An HTTP server in front of an API. When it is closed, it forwards requests on kept connections to the
 * server that listens on its port then.
 * @param log receives the access log's line of each response
 */
export const gatewayServer = (respond: Respond, log: (line: string) => void = () => undefined): Server => {
  const handle = async (message: IncomingMessage, serverResponse: ServerResponse): Promise<void> => {
    const start = performance.now();
    const event = readEvent(message, message.socket.remoteAddress ?? '');
    const body = await readBody(message);
    const response =
      body === undefined ? gatewayResponse(413, 'Request Entity Too Large') : await respond(event, body);
    const { statusCode, headers, body: content } = response;
    const length = Buffer.byteLength(content);
    const own = { 'content-length': length, 'apigw-requestid': event.requestContext.requestId };
    if (!server.listening) serverResponse.setHeader('connection', 'close');
    serverResponse.writeHead(statusCode, { ...headers, ...own }).end(content);
    log(accessLogLine(event, response, performance.now() - start));
  };
  const server = createServer({ maxHeaderSize }, (message, response) => {
    if (!server.listening) forward(message, response);
    else handle(message, response).catch(() => response.destroy());
  });
  // A request can be on its way on an idle connection.
  server.closeIdleConnections = () => undefined;
  return server;
};

/** The body of a request; undefined if it is too large. */
const readBody = async (message: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const parts: AsyncIterable<Buffer> = message.iterator({ destroyOnReturn: false });
  for await (const chunk of parts) {
    size += chunk.length;
    if (size > maxBodySize) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
  { rawPath, requestContext: { http } }: RequestEvent,
  { statusCode, body, authorizer }: HttpResponse,
  milliseconds: number,
): string => {
  const color = statusCode < 400 ? 'green' : statusCode < 500 ? 'yellow' : 'red';
  const status = styleText(color, String(statusCode));
  const start = `${http.method} ${escaped(rawPath.slice(0, maxPathLength))} ${status}`;
  const time = `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
  const decided = authorizer === undefined ? [] : [`authorizer ${authorizer}`];
  return [start, count(Buffer.byteLength(body), 'byte'), time, ...decided].join(', ');
};
