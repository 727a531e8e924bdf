// Runs in a worker thread, so that a large read does not block the gateway.
import { parentPort } from 'node:worker_threads';
import dynalite from 'dynalite';
import { create } from 'dynalite/db/index.js';
import { listen, refusePages } from '../listen.ts';

// dynalite ends an iterator with `return` if it has one, but its database's iterators have `close`.
// Without this method, each read leaks an iterator.
let iterator: unknown = create().db.values();
while (typeof iterator === 'object' && iterator !== null && !Object.hasOwn(iterator, 'close'))
  iterator = Object.getPrototypeOf(iterator);
Object.assign(Object(iterator), {
  return(this: { readonly close: () => Promise<void> }) {
    return this.close();
  },
});

const [, , port = '', address] = process.argv;
parentPort?.postMessage(
  await listen(refusePages(dynalite({ createTableMs: 0 })), port, 'STORE_PORT', address),
);
