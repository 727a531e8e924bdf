import { randomBytes } from 'node:crypto';

/** A proxy in front of one server, in a running Toxiproxy. */
export interface Proxy {
  /** Where it listens, as `host:port`. */
  readonly address: string;
  /**
   * Adds a toxic (Toxiproxy's README, "Toxics"), also to open connections.
   * @param stream `upstream` disturbs what the client sends, `downstream` what it receives
   */
  readonly addToxic: (
    type: string,
    attributes: Readonly<Record<string, number>>,
    stream?: 'upstream' | 'downstream',
  ) => Promise<void>;
  /** Closes every connection and stops listening. */
  readonly disable: () => Promise<void>;
  /** Removes all toxics and enables the proxy; if nothing was changed, its connections stay open. */
  readonly renew: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A random loopback address: while the proxy is down, another process could take a port of 127.0.0.1. */
const ownAddress = (): string => `127.${[...randomBytes(3)].join('.')}:10000`;

/**
 * Opens a proxy.
 * @param endpoint Toxiproxy's HTTP API
 * @param upstream the server, as `host:port`
 */
export const openProxy = async (endpoint: string, upstream: string): Promise<Proxy> => {
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(new URL(path, endpoint), {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Toxiproxy responded with ${String(response.status)}: ${text}`);
    return text;
  };
  const name = crypto.randomUUID();
  const address = ownAddress();
  const path = `/proxies/${name}`;
  const create = (): Promise<string> => call('POST', '/proxies', { name, listen: address, upstream });
  await create();
  const remove = async (): Promise<void> => {
    await call('DELETE', path);
  };
  let isUnchanged = true;
  return {
    address,
    addToxic: async (type, attributes, stream = 'downstream') => {
      isUnchanged = false;
      await call('POST', `${path}/toxics`, { type, stream, attributes });
    },
    disable: async () => {
      isUnchanged = false;
      await call('POST', path, { enabled: false });
    },
    renew: async () => {
      if (isUnchanged) return;
      // While data passes through, Toxiproxy can hang when it removes a toxic.
      await remove();
      await create();
      isUnchanged = true;
    },
    remove,
  };
};
