import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { listen, loopback } from '../../../local/listen.ts';
import { openProxy, type Proxy } from './toxiproxy.ts';

/** An HTTP response. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable;
}

/** The server's own response. */
interface GoodReply extends Reply {
  readonly body: Buffer;
}

export type Change = (good: GoodReply) => Reply;

/** The connection from a function to a server, which can fail: a proxy, and behind it a server that changes responses. */
export interface FaultyLink {
  /** The URL that the function uses for the server. */
  readonly url: string;
  readonly proxy: Proxy;
  /** Changes the server's responses. */
  readonly change: (change: Change) => void;
  /** Sends nothing more on the connections that are open now. */
  readonly silenceOpenConnections: () => void;
  /** Sends requests to another server from now on. */
  readonly leadTo: (upstream: string) => void;
  /** Ends every fault. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const unchanged: Change = (good) => good;

/**
 * Opens a link without faults.
 * @param toxiproxy the proxy server's own endpoint
 */
export const openLink = async (toxiproxy: string, firstUpstream: string): Promise<FaultyLink> => {
  let upstream = firstUpstream;
  let change = unchanged;
  const open = new Set<Socket>();
  const silent = new WeakSet<Socket>();

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const good = await forward(request, upstream);
    if (silent.has(request.socket)) return;
    const { status, headers, body } = change(good);
    if (body instanceof Readable) await pipeline(body, response.writeHead(status, headers));
    else response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  }).on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const port = await listen(server, 0, 'PORT');
  const proxy = await openProxy(toxiproxy, `${loopback}:${String(port)}`);

  return {
    url: `http://${proxy.address}`,
    proxy,
    change: (next) => {
      change = next;
    },
    silenceOpenConnections: () => {
      for (const socket of open) silent.add(socket);
    },
    leadTo: (next) => {
      upstream = next;
    },
    restore: async () => {
      change = unchanged;
      await proxy.renew();
    },
    close: async () => {
      await proxy.remove();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Gets the server's own response. */
const forward = async (request: IncomingMessage, upstream: string): Promise<GoodReply> => {
  const { method, url = '/', headers } = request;
  const received = await new Promise<IncomingMessage>((resolve, reject) => {
    request.pipe(
      httpRequest(new URL(url, upstream), { method, headers, agent: false }, resolve).on('error', reject),
    );
  });
  return {
    status: received.statusCode ?? 0,
    headers: { 'content-type': received.headers['content-type'] ?? '' },
    body: await buffer(received),
  };
};
