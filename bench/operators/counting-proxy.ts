import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { responseTo } from './protocol.ts';

/** What a command asked of the store. */
export interface Reads {
  readonly requests: number;
  /** Items and index entries that were read. */
  readonly items: number;
}

/** Passes requests on to a store, and counts what is read. */
export interface CountingProxy {
  readonly endpoint: string;
  /** Since the last call. */
  readonly counted: () => Reads;
  readonly close: () => void;
}

const read = z.object({
  ScannedCount: z.number().default(0),
  Responses: z.record(z.string(), z.array(z.unknown())).default({}),
});

export const countingProxy = async (endpoint: string): Promise<CountingProxy> => {
  let [requests, items] = [0, 0];
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const { method, headers } = incoming;
      const sent = request(endpoint, { method, headers });
      sent.end(await buffer(incoming));
      const response = await responseTo(sent);
      const body = await buffer(response);
      const { ScannedCount: scanned, Responses: found } = read.parse(JSON.parse(body.toString()));
      requests += 1;
      items += scanned + Object.values(found).flat().length;
      outgoing.writeHead(response.statusCode ?? 502, response.headers).end(body);
    };
    pass().catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    endpoint: `http://127.0.0.1:${String(port)}`,
    counted: () => {
      const counted = { requests, items };
      [requests, items] = [0, 0];
      return counted;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
