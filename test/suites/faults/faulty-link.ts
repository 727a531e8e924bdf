import { type GoodReply, type Link, type LinkRequest, openLink } from '../../support/link.ts';
import { type Fault, withFault } from './faults.ts';
import { openProxy, type Proxy } from './toxiproxy.ts';

/** A faulty connection from a function to a server: a proxy, and behind it a link that changes responses. */
export interface FaultyLink extends Pick<Link, 'url' | 'silenceOpenConnections' | 'close'> {
  readonly proxy: Proxy;
  readonly begin: (fault: Fault) => Promise<void>;
  /** Ends every fault. */
  readonly restore: () => Promise<void>;
}

/**
 * Opens a link without faults.
 * @param toxiproxy the proxy server's own endpoint
 * @param respond responds as the server does
 */
export const openFaultyLink = async (
  toxiproxy: string,
  respond: (request: LinkRequest) => Promise<GoodReply>,
): Promise<FaultyLink> => {
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
