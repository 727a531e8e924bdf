import { randomBytes } from 'node:crypto';
import {
  type FakeServer,
  type GoodReply,
  type ReceivedRequest,
  type Reply,
  startFakeServer,
} from '../../support/fake-server.ts';

/** Changes a response. */
export type Change = (good: GoodReply) => Reply;

/** A fake server behind a fault-injecting proxy. Its responses can be changed, and its connections cut. */
export interface FaultyServer extends Pick<FakeServer, 'url' | 'silenceOpenConnections' | 'close'> {
  /**
   * Adds a toxic (Toxiproxy's README, "Toxics"), also to open connections.
   * @param stream `upstream` disturbs what the client sends, `downstream` what it receives
   */
  readonly addToxic: (type: string, attributes: object, stream?: 'upstream' | 'downstream') => Promise<void>;
  /** Closes every connection and stops listening. */
  readonly disable: () => Promise<void>;
  /** Changes so many of the next responses. */
  readonly alter: (change: Change, times: number) => void;
  /** Ends every fault. If there is none of connections, they stay open. */
  readonly restore: () => Promise<void>;
}

/**
 * Starts a server without faults.
 * @param toxiproxy the URL of Toxiproxy's HTTP API
 * @param respond responds as the server does
 */
export const startFaultyServer = async (
  toxiproxy: string,
  respond: (request: ReceivedRequest) => Promise<GoodReply>,
): Promise<FaultyServer> => {
  const server = await startFakeServer(respond);
  const call = async (method: string, path: string, body?: object): Promise<void> => {
    const content = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${toxiproxy}/proxies${path}`, { method, body: content });
    if (!response.ok) throw new Error(`Toxiproxy responded: ${await response.text()}`);
  };
  const name = crypto.randomUUID();
  // A random loopback address: while the proxy is down, another process could take a port of 127.0.0.1.
  const listen = `127.${[...randomBytes(3)].join('.')}:10000`;
  const open = (): Promise<void> => call('POST', '', { name, listen, upstream: new URL(server.url).host });
  await open();
  let isChanged = false;
  const change = (path: string, body: object): Promise<void> => {
    isChanged = true;
    return call('POST', `/${name}${path}`, body);
  };
  return {
    url: `http://${listen}`,
    silenceOpenConnections: server.silenceOpenConnections,
    addToxic: (type, attributes, stream = 'downstream') => change('/toxics', { type, stream, attributes }),
    disable: () => change('', { enabled: false }),
    alter: (alteration, times) => {
      let left = times;
      server.respond(async (request) => {
        const good = await respond(request);
        return left-- > 0 ? alteration(good) : good;
      });
    },
    restore: async () => {
      server.respond(respond);
      if (!isChanged) return;
      // While data passes through, Toxiproxy can hang when it removes a toxic.
      await call('DELETE', `/${name}`);
      await open();
      isChanged = false;
    },
    close: async () => {
      await call('DELETE', `/${name}`);
      await server.close();
    },
  };
};
