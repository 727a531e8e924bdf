/** Types for the part of dynalite that is used here; the package has none. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export interface DynaliteOptions {
    /** How long a new table stays in status CREATING, in milliseconds. */
    readonly createTableMs?: number;
  }

  export default function dynalite(options?: DynaliteOptions): Server;
}
