import type { Principal } from './principals.ts';
import type { StoredPlant } from '../../table/sort-key.ts';

/** What to read of one principal's plants. */
export interface PlantQuery {
  readonly principal: Principal;
  /** Read only what comes after this key. */
  readonly after?: string | undefined;
  /** Read at most this many items; undefined: as many as the store gives at once. */
  readonly limit?: number | undefined;
}

/** A part of one principal's plants. */
export interface PlantPage {
  /** In byte order of their sort keys, each key once. */
  readonly plants: readonly StoredPlant[];
  /** How many items were left out because they break the table's shape. */
  readonly damaged: number;
  /** The last key read (it may be a damaged item's); undefined: nothing follows. */
  readonly next?: string | undefined;
}

/** The one read this operation needs. */
export interface PlantStore {
  /** @throws {ServiceError} 2001 when the store does not answer or is throttling */
  readonly readPlants: (query: PlantQuery, signal: AbortSignal) => Promise<PlantPage>;
}
