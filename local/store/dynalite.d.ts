/** Types for the part of dynalite that is used here; the package has none. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** @param options.createTableMs how long a new table stays in status CREATING, in milliseconds */
  export default function dynalite(options?: { readonly createTableMs?: number }): Server;
}
declare module 'dynalite/db/index.js' {
  export function create(): { readonly db: { readonly values: () => object } };
}
