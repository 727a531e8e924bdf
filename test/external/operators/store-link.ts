import { Agent, createServer, request } from 'node:http';
import { startServer, stopServer } from '../../support/loopback-server.ts';

/** A way to the store on which one request can be kept waiting. */
export interface StoreLink {
  readonly endpoint: string;
  /** Runs something before a request passes, of those that begin now, counted from 0. */
  readonly interpose: (before: number, run: () => Promise<unknown>) => void;
  readonly stop: () => Promise<void>;
}

export const openStoreLink = async (store: string): Promise<StoreLink> => {
  const agent = new Agent({ keepAlive: true });
  let requests = 0;
  let wait: (number: number) => Promise<unknown> = () => Promise.resolve();
  const server = createServer((incoming, response) => {
    void wait(requests++).then(() => {
      const { method, headers } = incoming;
      const passed = request(store, { agent, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      passed.once('error', () => response.destroy());
      incoming.pipe(passed);
    });
  });
  return {
    endpoint: await startServer(server),
    interpose: (before, run) => {
      requests = 0;
      wait = (number) => (number === before ? run() : Promise.resolve());
    },
    stop: async () => {
      await stopServer(server);
      agent.destroy();
    },
  };
};
