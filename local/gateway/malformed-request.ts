import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { codeOf } from '../../terminal/user-error.ts';
import { gatewayResponse, type HttpResponse } from './response.ts';

/** Gives the gateway's own answers to what never becomes a request; Node alone sends no body, or nothing at all. */
export const answerMalformedRequests = (server: Server): void => {
  const underWay = new Set<ServerResponse>();
  server.on('request', (_message, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });

  const refuse = async (socket: Duplex, response: HttpResponse): Promise<void> => {
    // A client may go away at any time.
    socket.on('error', () => undefined);
    // Pipelined requests before this one get their answers first.
    const earlier = [...underWay].filter(({ req }) => req.socket === socket && req.complete);
    await Promise.allSettled(earlier.map((each) => finished(each)));
    if (!socket.writable) return;
    // Not destroyed: with the rest of the message unread, the connection would be reset before the caller reads this.
    socket.end(messageOf(response));
  };

  server.on('clientError', (error, socket) => void refuse(socket, answerTo(codeOf(error))));
  server.on('connect', (_message, socket) => void refuse(socket, gatewayResponse(404, 'Not Found')));
};

/** What to say about an error of Node's HTTP parser. */
const answerTo = (code: string | undefined): HttpResponse => {
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
