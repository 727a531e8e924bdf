import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** The connection from a function to the store, which can fail. */
export interface StoreLink {
  /** The URL that the functions use for the store. */
  readonly url: string;
  readonly leadTo: (upstream: string) => void;
  /** Whether connections work; when not, all are closed. */
  readonly setWorks: (works: boolean) => void;
  readonly stop: () => Promise<void>;
}

export const openStoreLink = async (): Promise<StoreLink> => {
  let upstream: URL | undefined;
  let works = true;
  const open = new Set<Socket>();
  const closeAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((socket) => {
    if (!works || upstream === undefined) {
      socket.destroy();
      return;
    }
    const store = connect(Number(upstream.port), upstream.hostname);
    for (const each of [socket, store]) {
      open.add(each);
      each.once('close', () => open.delete(each));
    }
    // A connection that breaks is closed on both sides.
    pipeline(socket, store, socket, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    leadTo: (next) => {
      upstream = new URL(next);
    },
    setWorks: (next) => {
      works = next;
      if (!works) closeAll();
    },
    stop: async () => {
      closeAll();
      server.close();
      await once(server, 'close');
    },
  };
};
