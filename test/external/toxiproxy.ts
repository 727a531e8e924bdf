import { z } from 'zod';

/** A proxy in front of one server, in a running Toxiproxy. */
export interface Proxy {
  /** Where it listens, as `host:port`. */
  readonly address: string;
  /**
   * Adds a toxic (Toxiproxy's README, "Toxics"), to open connections too.
   * @param stream `upstream` for what the client sends; what it receives unless set
   */
  readonly poison: (
    type: string,
    attributes: Readonly<Record<string, number>>,
    stream?: 'upstream' | 'downstream',
  ) => Promise<void>;
  /** Closes every connection and listens no more. */
  readonly disable: () => Promise<void>;
  /** Makes it good again; one that nothing was done to keeps its connections. */
  readonly renew: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/**
 * Opens a proxy on a free port.
 * @param endpoint Toxiproxy's own
 * @param upstream the server, as `host:port`
 */
export const openProxy = async (endpoint: string, upstream: string): Promise<Proxy> => {
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await fetch(new URL(path, endpoint), {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Toxiproxy answered ${String(answer.status)}: ${text}`);
    return text;
  };
  const name = crypto.randomUUID();
  const path = `/proxies/${name}`;
  const create = (listen: string): Promise<string> => call('POST', '/proxies', { name, listen, upstream });
  const created: unknown = JSON.parse(await create('127.0.0.1:0'));
  const { listen: address } = z.object({ listen: z.string() }).parse(created);
  const remove = async (): Promise<void> => {
    await call('DELETE', path);
  };
  let good = true;
  return {
    address,
    poison: async (type, attributes, stream = 'downstream') => {
      good = false;
      await call('POST', `${path}/toxics`, { type, stream, attributes });
    },
    disable: async () => {
      good = false;
      await call('POST', path, { enabled: false });
    },
    renew: async () => {
      if (good) return;
      // Toxiproxy can hang on taking a toxic away, for as long as data is under way through it.
      await remove();
      await create(address);
      good = true;
    },
    remove,
  };
};
