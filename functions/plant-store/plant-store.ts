import type { StoredPlant } from '../../table/item.ts';
import type { dummyPrincipal, Principal } from '../../table/principal.ts';

/**
 * How many reads of a request may be in flight, each over its own connection. Eight are the fastest for many
 * principals, because a further connection costs a handshake.
 */
export const maxReadsInFlight = 8;

/** Which of a principal's plants to read. */
export interface PlantQuery {
  readonly principal: Principal | typeof dummyPrincipal;
  /** Read only plants after this key. */
  readonly after?: string;
  /** Read only plants up to this key, which is greater than `after`. */
  readonly upTo?: string;
  /** Read at most this many items. */
  readonly limit: number;
}

/** The result of one read of a principal, which has at most 1 MB of items. */
export interface ReadResult {
  /** In byte order of their sort keys, each key once. */
  readonly plants: readonly StoredPlant[];
  /** How many damaged items were left out. */
  readonly damaged: number;
  /** The key of the last item read, which may be damaged; undefined if no item follows. */
  readonly next?: string;
}

/** The source from which operations read plants. */
export interface PlantStore {
  /** @throws {StoreUnavailable} */
  readonly read: (query: PlantQuery, signal: AbortSignal) => Promise<ReadResult>;
}

/** The store does not respond or throttles, so the same read may succeed later. The cause is for the log. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super('The plant store is not available.', { cause });
  }
}
