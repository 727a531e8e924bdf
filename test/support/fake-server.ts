import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { startServer, stopServer } from './loopback-server.ts';

/** An HTTP request as the fake server receives it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query string as sent. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** An HTTP response. A stream that fails resets the connection; while it has no data, the client waits. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer | Readable;
}

/** A response whose body has arrived. */
export interface BufferedReply extends HttpReply {
  readonly body: Buffer;
}

/** An HTTP response, or the bytes to send before the connection ends. */
export type Reply = HttpReply | Buffer;

/** Responds to a request, or to a proxied one with `forward`. A rejection resets the connection. */
export type Respond = (request: ReceivedRequest) => Promise<Reply>;

/** A server whose responses a test chooses. With `forward`, it is a proxy in front of a real server. */
export interface FakeServer {
  /** What the client uses as the server's URL. */
  readonly url: string;
  /** Replaces the function that responds. */
  readonly respond: (next: Respond) => void;
  /** Sends nothing more on the connections that are open now. */
  readonly silenceOpenConnections: () => void;
  readonly close: () => Promise<void>;
}

/** Headers that are not copied: hop-by-hop (RFC 9110 section 7.6.1), and the length, which may change. */
const notCopied = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export const startFakeServer = async (respond: Respond, port = 0, host?: string): Promise<FakeServer> => {
  let current = respond;
  const open = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const server = createServer((message, response) => {
    const { method = '', url: path = '', headers, socket } = message;
    const handle = async (): Promise<void> => {
      const reply = await current({ method, path, headers, body: await buffer(message) });
      if (silent.has(socket)) return;
      if (Buffer.isBuffer(reply)) {
        socket.end(reply);
        return;
      }
      for (const [name, value] of Object.entries(reply.headers))
        if (value !== undefined && !notCopied.has(name)) response.setHeader(name, value);
      response.statusCode = reply.status;
      if (reply.body instanceof Readable) await pipeline(reply.body, response);
      else response.end(reply.body);
    };
    handle().catch(() => socket.resetAndDestroy());
  }).on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    url: await startServer(server, port, host),
    respond: (next) => {
      current = next;
    },
    silenceOpenConnections: () => {
      for (const socket of open) silent.add(socket);
    },
    close: () => stopServer(server),
  };
};

/** Sends a request to a server, and returns its response. */
export const forward = async (
  upstream: string,
  { method, path, headers, body }: ReceivedRequest,
): Promise<BufferedReply> => {
  const { hostname, port } = new URL(upstream);
  const received = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ hostname, port, path, method, headers, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
  return { status: received.statusCode ?? 0, headers: received.headers, body: await buffer(received) };
};
