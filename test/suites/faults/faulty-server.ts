import {
  type FakeServer,
  type GoodReply,
  type ReceivedRequest,
  type Reply,
  startFakeServer,
} from '../../support/fake-server.ts';
import { openProxy, type Proxy } from './toxiproxy.ts';

/** Changes a response. */
export type Change = (good: GoodReply) => Reply;

/** A fake server behind a fault-injecting proxy. Its responses can be changed, and its connections cut. */
export interface FaultyServer extends Pick<FakeServer, 'url' | 'silenceOpenConnections' | 'close'> {
  readonly proxy: Proxy;
  /** Changes so many of the next responses. */
  readonly alter: (change: Change, times: number) => void;
  /** Ends every fault. */
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
  const proxy = await openProxy(toxiproxy, new URL(server.url).host);
  return {
    url: `http://${proxy.address}`,
    proxy,
    silenceOpenConnections: server.silenceOpenConnections,
    alter: (change, times) => {
      let left = times;
      server.respond(async (request) => {
        const good = await respond(request);
        return left-- > 0 ? change(good) : good;
      });
    },
    restore: async () => {
      server.respond(respond);
      await proxy.renew();
    },
    close: async () => {
      await proxy.remove();
      await server.close();
    },
  };
};
