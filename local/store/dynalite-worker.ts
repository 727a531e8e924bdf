// Runs in a worker thread, so that a large read does not block the gateway.
import { parentPort } from 'node:worker_threads';
import { AbstractKeyIterator, AbstractValueIterator } from 'abstract-level';
// Before dynalite, which then uses it.
import './memory-level.ts';
import dynalite from 'dynalite';
import { listen, refusePages } from '../listen.ts';

// dynalite ends an iterator with `return` if it has one, but in abstract-level this is `close`. Without it, the database
// keeps the iterator of each read.
for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
  Object.assign(prototype, {
    return(this: typeof prototype) {
      return this.close();
    },
  });
}

const [, , port, variable = '', address] = process.argv;
listen(refusePages(dynalite({ createTableMs: 0 })), Number(port), variable, address).then(
  (taken) => parentPort?.postMessage({ port: taken }),
  (error: unknown) =>
    parentPort?.postMessage({ problem: error instanceof Error ? error.message : String(error) }),
);
