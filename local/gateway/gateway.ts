import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { Respond } from './http-api.ts';

/** An HTTP API's quota for the request line and the headers, in bytes. */
const maxHeaderSize = 10_240;

/**
 * An HTTP server in front of an API. When it is closed, it forwards requests on kept connections to the
 * server that listens on its port then.
 */
export const gatewayServer = (respond: Respond): Server => {
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = crypto.randomUUID();
    const { statusCode, headers, body } = await respond(message, requestId);
    const own = { 'content-length': Buffer.byteLength(body), 'apigw-requestid': requestId };
    response.writeHead(statusCode, { ...headers, ...own }).end(body);
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
