import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { loopback } from '../../local/listen.ts';

/** The settings of the worker with the stub of DynamoDB and of the token issuer. */
export const backendSettings = z.object({
  certificate: z.string(),
  key: z.string(),
  /** The issuer's public keys as JSON text. */
  jwks: z.string(),
  /** Shared with the worker: the number of Queries. */
  counts: z.instanceof(Int32Array),
});

/** The stub of DynamoDB and of the token issuer, on one HTTPS server. */
interface Backend {
  readonly url: string;
  /** The number of Queries since the start. */
  readonly queryCount: () => number;
}

/** Starts the server in a thread of its own, so that its work delays no measurement. */
export const startBackend = async (
  settings: Omit<z.input<typeof backendSettings>, 'counts'>,
): Promise<Backend> => {
  const counts = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: { ...settings, counts } });
  const [port] = z.tuple([z.int()]).parse(await once(worker, 'message'));
  // It must not keep this process alive.
  worker.unref();
  return { url: `https://${loopback}:${String(port)}`, queryCount: () => Atomics.load(counts, 0) };
};
