/** The part of dynalite that is used here; the package has no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** @param options.createTableMs how long a new table stays in status CREATING, in milliseconds */
  export default function dynalite(options?: { readonly createTableMs?: number }): Server;
}
