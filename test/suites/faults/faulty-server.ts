import {
  type FakeServer,
  type GoodReply,
  type ReceivedRequest,
  startFakeServer,
} from '../../support/fake-server.ts';
import { type Fault, withFault } from './faults.ts';
import { openProxy, type Proxy } from './toxiproxy.ts';

/** A fake server behind a fault-injecting proxy. Its responses can be changed, and its connections cut. */
export interface FaultyServer extends Pick<FakeServer, 'url' | 'silenceOpenConnections' | 'close'> {
  readonly proxy: Proxy;
  readonly begin: (fault: Fault) => Promise<void>;
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
  const faulty: FaultyServer = {
    url: `http://${proxy.address}`,
    proxy,
    silenceOpenConnections: server.silenceOpenConnections,
    begin: async (fault) => {
      if ('begin' in fault) await fault.begin(faulty);
      else server.respond(withFault(respond, fault));
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
  return faulty;
};
