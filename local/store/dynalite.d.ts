/** The part of dynalite that is used here; the package has no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';
  export default function dynalite(options: { readonly createTableMs: number }): Server;
}
