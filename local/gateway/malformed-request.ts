import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { codeOf } from '../../table/error-codes.ts';
import { gatewayResponse, type HttpResponse } from './response.ts';

/** Sends the gateway's own responses to malformed requests. Node's default is a response without a body, or none. */
export const rejectMalformedRequests = (server: Server): void => {
  const underWay = new Set<ServerResponse>();
  server.on('request', (_message, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });

  const refused = new WeakSet<Duplex>();
  const refuse = async (socket: Duplex, response: HttpResponse): Promise<void> => {
    // Node's parser reports an error again for each part of what follows.
    if (refused.has(socket)) return;
    refused.add(socket);
    // The client may disconnect at any time.
    socket.on('error', () => undefined);
    // Earlier pipelined requests get their responses first.
    const earlier = [...underWay].filter(({ req }) => req.socket === socket && req.complete);
    await Promise.allSettled(earlier.map((each) => finished(each)));
    if (!socket.writable) return;
    // Destroying the socket with unread data would reset the connection before the client reads the response.
    socket.end(messageOf(response));
  };

  server.on('clientError', (error, socket) => void refuse(socket, responseTo(codeOf(error))));
  server.on('connect', (_message, socket) => void refuse(socket, gatewayResponse(404, 'Not Found')));
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
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value.toString()}`),
    `content-length: ${String(body.length)}`,
    'connection: close',
    '',
    body.toString(),
  ].join('\r\n');
