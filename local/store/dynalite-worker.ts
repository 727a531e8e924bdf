// Runs in a worker thread, so that a large read does not block the gateway.
import { parentPort } from 'node:worker_threads';
import dynalite from 'dynalite';
import { listen } from '../listen.ts';

const [, , port, variable = '', address] = process.argv;
listen(dynalite({ createTableMs: 0 }), Number(port), variable, address).then(
  (taken) => parentPort?.postMessage({ port: taken }),
  (error: unknown) =>
    parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) }),
);
