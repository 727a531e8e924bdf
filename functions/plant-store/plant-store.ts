import type { StoredPlant } from '../../table/item.ts';
import type { dummyPrincipal, Principal } from '../../table/principal.ts';

/**
 * How many reads of a request may be in flight, each over a connection of its own. A connection costs a
 * handshake; eight are the fastest for many principals.
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

/** What one read of a principal returns: at most 1 MB. */
export interface ReadResult {
  /** In byte order of their sort keys, each key once. */
  readonly plants: readonly StoredPlant[];
  /** How many damaged items were left out. */
  readonly damaged: number;
  /** The last key read, which may be a damaged item's; undefined: nothing follows. */
  readonly next?: string;
}

/** The source from which operations read plants. */
export interface PlantStore {
  /** @throws {StoreUnavailable} */
  readonly read: (query: PlantQuery, signal: AbortSignal) => Promise<ReadResult>;
}

/** The store does not respond or throttles: the same read may succeed later. Its cause is for the log. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(cause: unknown) {
    super('The plant store is not available.', { cause });
  }
}
