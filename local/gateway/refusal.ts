import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { codeOf } from '../../terminal/user-error.ts';
import { gatewayResponse, type HttpResponse } from './response.ts';

/**
 * Sends a response after those to earlier requests on the connection, then closes the connection, even if the client is
 * still sending.
 * @param own Node's response to the refused request, if its head could be parsed
 */
export type Refuse = (socket: Duplex, response: HttpResponse, own?: ServerResponse) => Promise<void>;

/** How long a client has for reading the response before the connection is reset, in milliseconds. */
const lingerTime = 2000;

/**
 * Sends the gateway's own responses to malformed requests. Node's default is a response without a body, or none.
 * @returns refuses a request that is not read to its end
 */
export const refuseMalformedRequests = (server: Server): Refuse => {
  const underWay = new Set<ServerResponse>();
  server.on('request', (_message, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });

  const refused = new WeakSet<Duplex>();
  const refuse: Refuse = async (socket, response, own) => {
    // Node's parser reports an error again for each part of what follows.
    if (refused.has(socket)) return;
    refused.add(socket);
    // The client may disconnect at any time.
    socket.on('error', () => undefined);
    // Earlier pipelined requests get their responses first.
    const onSocket = [...underWay].filter(({ req }) => req.socket === socket);
    const earlier =
      own === undefined
        ? onSocket.filter(({ req }) => req.complete)
        : onSocket.slice(0, onSocket.indexOf(own));
    await Promise.allSettled(earlier.map((each) => finished(each)));
    if (!socket.writable) return;
    // Destroying the socket with unread data would reset the connection before the client reads the response.
    socket.end(messageOf(response));
    const timer = setTimeout(() => socket.destroy(), lingerTime);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };

  server.on('clientError', (error, socket) => void refuse(socket, responseTo(codeOf(error))));
  server.on('connect', (_message, socket) => void refuse(socket, gatewayResponse(404, 'Not Found')));
  return refuse;
};

/** The response to an error of Node's HTTP parser. */
const responseTo = (code: string | undefined): HttpResponse => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return gatewayResponse(431, 'Request Header Fields Too Large');
    case 'HPE_INVALID_METHOD':
      return gatewayResponse(404, 'Not Found');
    default:
      return gatewayResponse(400, 'Bad Request');
  }
};

const messageOf = ({ statusCode, headers, body }: HttpResponse): string =>
  [
    `HTTP/1.1 ${String(statusCode)} ${STATUS_CODES[statusCode] ?? ''}`,
    ...Object.entries({ 'apigw-requestid': crypto.randomUUID(), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    `content-length: ${String(body.length)}`,
    'connection: close',
    '',
    body.toString(),
  ].join('\r\n');
