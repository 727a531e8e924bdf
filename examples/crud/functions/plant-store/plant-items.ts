import type { VersionedPlant } from '../../table/item.ts';
import type { Plant } from '../../table/plant.ts';
import type { dummyPrincipal, Principal } from '../../table/principal.ts';
import type { RequestKey, RequestRecord, RequestState } from '../../table/request-record.ts';
import type { FieldChange } from '../../table/json-fields.ts';

/** A plant of one principal. */
export interface PlantKey {
  readonly principal: Principal | typeof dummyPrincipal;
  readonly id: string;
}

/** What a consistent read of a key finds. */
export type FoundItem = VersionedPlant | 'damaged' | undefined;

/**
 * Reads and writes single plants. Each method is one request to the table, and throws `StoreUnavailable` if
 * the same request may succeed later, or has already written.
 */
export interface PlantItems {
  readonly find: (key: PlantKey, signal: AbortSignal) => Promise<FoundItem>;
  /** Adds a plant, unless the principal has one with its id. */
  readonly add: (
    plant: { readonly principal: Principal; readonly plant: Plant; readonly request?: RequestKey },
    signal: AbortSignal,
  ) => Promise<void>;
  /** @returns whether the plant still had `version`, and so was changed */
  readonly change: (
    key: PlantKey,
    update: { readonly change: FieldChange; readonly version: string; readonly nextVersion: string },
    signal: AbortSignal,
  ) => Promise<boolean>;
  /**
   * Deletes a plant, if it has `version`; without a version, in any case.
   * @returns whether the plant was there with that version
   */
  readonly delete: (key: PlantKey, version: string | undefined, signal: AbortSignal) => Promise<boolean>;
}

/**
 * The records of requests that can be repeated. Each method is one request to the table, as in `PlantItems`.
 */
export interface RequestRecords {
  /**
   * Puts a record that expires a day from `now`, in milliseconds since 1970.
   * @returns whether the key had no record, or only an expired one
   */
  readonly start: (record: RequestRecord, now: number, signal: AbortSignal) => Promise<boolean>;
  readonly find: (key: RequestKey, signal: AbortSignal) => Promise<RequestRecord | undefined>;
  /**
   * Moves a record to a state.
   * @param from only if it is in one of these states
   * @returns whether it was
   */
  readonly move: (
    key: RequestKey,
    from: readonly RequestState[],
    to: RequestState,
    signal: AbortSignal,
  ) => Promise<boolean>;
}
