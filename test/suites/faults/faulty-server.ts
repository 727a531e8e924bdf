import { randomBytes } from 'node:crypto';
import {
  type FakeServer,
  type BufferedReply,
  type ReceivedRequest,
  type Reply,
  startFakeServer,
} from '../../support/fake-server.ts';

/** Changes a response. */
export type Change = (good: BufferedReply) => Reply | Promise<Reply>;

/** A fake server whose responses can be changed, and its connections cut. */
export interface FaultyServer extends Pick<FakeServer, 'url' | 'silenceOpenConnections' | 'close'> {
  /** Closes every connection and stops listening. */
  readonly disable: () => Promise<void>;
  /** Changes so many of the next responses. */
  readonly alter: (change: Change, times: number) => void;
  /** Ends every fault. */
  readonly restore: () => Promise<void>;
}

/**
 * Starts a server without faults.
 * @param respond responds as the server does
 */
export const startFaultyServer = async (
  respond: (request: ReceivedRequest) => Promise<BufferedReply>,
): Promise<FaultyServer> => {
  // A random loopback address: while the server is down, another one could take a port of 127.0.0.1.
  const address = [10_000, `127.${[...randomBytes(3)].join('.')}`] as const;
  let server = await startFakeServer(respond, ...address);
  let isDown = false;
  return {
    url: server.url,
    silenceOpenConnections: () => {
      server.silenceOpenConnections();
    },
    disable: () => {
      isDown = true;
      return server.close();
    },
    alter: (change, times) => {
      let left = times;
      server.respond(async (request) => {
        const good = await respond(request);
        return left-- > 0 ? change(good) : good;
      });
    },
    restore: async () => {
      server.respond(respond);
      if (isDown) server = await startFakeServer(respond, ...address);
      isDown = false;
    },
    close: () => server.close(),
  };
};
