import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Certificates } from './certificates.ts';
import type { Credentials } from './signature.ts';

/** What the worker that plays DynamoDB and the issuer is told. */
export const backendSettings = z.object({
  /** The IP address to listen on. */
  address: z.string(),
  certificate: z.string(),
  key: z.string(),
  /** The issuer's key set as JSON text. */
  jwks: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string() }),
  region: z.string(),
  tableName: z.string(),
  /** Shared with the worker, one number: queries answered. */
  counts: z.custom<Int32Array<SharedArrayBuffer>>(
    (value) => value instanceof Int32Array && value.buffer instanceof SharedArrayBuffer,
  ),
});

/** What the worker says once it listens. */
export interface BackendMessage {
  readonly port: number;
}

const portMessage = z.object({ port: z.int() });

/** DynamoDB and the token issuer, on one HTTPS server. */
export interface Backend {
  readonly url: string;
  readonly queryCount: () => number;
  readonly end: () => Promise<void>;
}

/** Starts the servers in a thread of their own, so that their work delays no measurement. */
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
  const worker = new Worker(new URL('backend-worker.ts', import.meta.url), {
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
