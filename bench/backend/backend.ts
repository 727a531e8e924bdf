import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Certificates } from './certificates.ts';
import type { Credentials } from './signature.ts';

/** The settings of the worker that stands in for DynamoDB and the token issuer. */
export const backendSettings = z.object({
  /** The IP address to listen on. */
  address: z.string(),
  certificate: z.string(),
  key: z.string(),
  /** The issuer's public keys as JSON text. */
  jwks: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
  region: z.string(),
  tableName: z.string(),
  /** Shared with the worker: the number of queries. */
  counts: z.custom<Int32Array<SharedArrayBuffer>>(
    (value) => value instanceof Int32Array && value.buffer instanceof SharedArrayBuffer,
  ),
});

/** The worker's message when it listens. */
export interface BackendMessage {
  readonly port: number;
}

const portMessage = z.object({ port: z.int() });

/** The stub of DynamoDB and of the token issuer, on one HTTPS server. */
export interface Backend {
  readonly url: string;
  readonly queryCount: () => number;
  readonly end: () => Promise<void>;
}

/** Starts the server in its own thread, so that its work delays no measurement. */
export const startBackend = async (
  { certificate, key }: Certificates,
  settings: {
    readonly address: string;
    readonly jwks: string;
    readonly credentials: Credentials;
    readonly region: string;
    readonly tableName: string;
  },
): Promise<Backend> => {
  const counts = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { ...settings, certificate, key, counts } satisfies z.input<typeof backendSettings>,
  });
  const messages: readonly unknown[] = await once(worker, 'message');
  const { port } = portMessage.parse(messages[0]);
  return {
    url: `https://${settings.address}:${String(port)}`,
    queryCount: () => Atomics.load(counts, 0),
    end: async () => {
      await worker.terminate();
    },
  };
};
