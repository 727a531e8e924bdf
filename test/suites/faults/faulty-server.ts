import { randomBytes } from 'node:crypto';
import {
  type FakeServer,
  type BufferedReply,
  type ReceivedRequest,
  type Reply,
  startFakeServer,
} from '../../support/fake-server.ts';

/** Changes a response of the server. */
export type Change = (response: BufferedReply) => Reply | Promise<Reply>;

/** A server whose responses can be changed and whose connections can be closed. */
export interface FaultyServer extends Pick<FakeServer, 'url' | 'silenceOpenConnections' | 'close'> {
  /** Closes every connection and stops listening. */
  readonly disable: () => Promise<void>;
  /** Changes the next `times` responses. */
  readonly alter: (change: Change, times: number) => void;
  /** Ends every fault. */
  readonly restore: () => Promise<void>;
}

/**
 * Starts a server without faults.
 * @param respond the responses of the server while it has no fault
 */
export const startFaultyServer = async (
  respond: (request: ReceivedRequest) => Promise<BufferedReply>,
): Promise<FaultyServer> => {
  // A random loopback address, because another server could take the port on 127.0.0.1 while this one is
  // down.
  const { port, host } = { port: 10_000, host: `127.${[...randomBytes(3)].join('.')}` };
  let server = await startFakeServer(respond, port, host);
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
      let remaining = times;
      server.respond(async (request) => {
        const response = await respond(request);
        if (remaining === 0) return response;
        remaining -= 1;
        return change(response);
      });
    },
    restore: async () => {
      server.respond(respond);
      if (isDown) server = await startFakeServer(respond, port, host);
      isDown = false;
    },
    close: () => server.close(),
  };
};
