import type { Server } from 'node:http';
import { serverForPrograms } from '../server/cross-origin.ts';

/** A server with a store in memory. */
export const embeddedStore = (): Server => {
  let loading: Promise<Server> | undefined;
  return serverForPrograms((request, response) => {
    // The first request loads dynalite, because loading it at once would delay the start.
    loading ??= import('dynalite').then(({ default: dynalite }) => dynalite({ createTableMs: 0 }));
    void loading.then((dynalite) => dynalite.emit('request', request, response));
  });
};
