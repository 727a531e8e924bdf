import { forward, type GoodReply, type Link, type LinkRequest, openLink } from '../../support/link.ts';
import { type Fault, withFault } from './faults.ts';
import { openProxy, type Proxy } from './toxiproxy.ts';

/** A faulty connection from a function to a server: a proxy, and behind it a link that changes responses. */
export interface FaultyLink extends Pick<Link, 'url' | 'silenceOpenConnections' | 'close'> {
  readonly proxy: Proxy;
  readonly begin: (fault: Fault) => Promise<void>;
  /** Sends requests to another server from now on. */
  readonly leadTo: (upstream: string) => void;
  /** Ends every fault. */
  readonly restore: () => Promise<void>;
}

/**
 * Opens a link without faults.
 * @param toxiproxy the proxy server's own endpoint
 */
export const openFaultyLink = async (toxiproxy: string, firstUpstream: string): Promise<FaultyLink> => {
  let upstream = firstUpstream;
  const respond = (request: LinkRequest): Promise<GoodReply> => forward(upstream, request);
  const link = await openLink(respond);
  const proxy = await openProxy(toxiproxy, new URL(link.url).host);
  const faulty: FaultyLink = {
    url: `http://${proxy.address}`,
    proxy,
    silenceOpenConnections: link.silenceOpenConnections,
    begin: async (fault) => {
      if ('begin' in fault) await fault.begin(faulty);
      else link.respond(withFault(respond, fault));
    },
    leadTo: (next) => {
      upstream = next;
    },
    restore: async () => {
      link.respond(respond);
      await proxy.renew();
    },
    close: async () => {
      await proxy.remove();
      await link.close();
    },
  };
  return faulty;
};
