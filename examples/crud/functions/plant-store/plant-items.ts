import type { PlantOrigin, VersionedPlant } from '../../table/item.ts';
import type { Plant } from '../../table/plant.ts';
import type { dummyPrincipal, Principal } from '../../table/principal.ts';
import type { RequestedPlant, RequestKey, RequestRecord } from '../../table/request-record.ts';
import type { FieldChange } from '../../table/json-fields.ts';

/** Identifies a plant of one principal. */
export interface PlantKey {
  readonly principal: Principal | typeof dummyPrincipal;
  readonly id: string;
}

/** What a consistent read of a key finds. */
export type FoundItem = VersionedPlant | 'damaged' | undefined;

/** The version that a plant must have to be deleted, or the attempt that must have added its item. */
export type DeletionCondition = { readonly version: string } | { readonly attempt: string };

/**
 * Reads and writes single plants. Each method sends one request to the table. It throws `StoreUnavailable` if
 * the request has failed and may succeed when it is sent again. The failed request may have written.
 */
export interface PlantItems {
  readonly find: (key: PlantKey, signal: AbortSignal) => Promise<FoundItem>;
  /**
   * Adds a plant, unless the principal has a plant with the same id. With an `origin`, the request is sent to
   * the table once, because a second one must have another `attempt`.
   */
  readonly add: (
    plant: { readonly principal: Principal; readonly plant: Plant; readonly origin?: PlantOrigin },
    signal: AbortSignal,
  ) => Promise<void>;
  /** @returns whether the plant still had `version`, and so was changed */
  readonly change: (
    key: PlantKey,
    update: { readonly change: FieldChange; readonly version: string; readonly nextVersion: string },
    signal: AbortSignal,
  ) => Promise<boolean>;
  /**
   * Deletes a plant if the condition is true, or in any case without a condition.
   * @returns whether a plant was deleted
   */
  readonly delete: (
    key: PlantKey,
    condition: DeletionCondition | undefined,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

/**
 * Reads and writes the records of requests with an `Idempotency-Key`. Each method sends one request to the
 * table, and fails as the methods of `PlantItems` do.
 */
export interface RequestRecords {
  /**
   * Puts a new record.
   * @param now milliseconds since 1970
   * @returns whether the key had no record, or only an expired one
   */
  readonly start: (record: RequestRecord, now: number, signal: AbortSignal) => Promise<boolean>;
  readonly find: (key: RequestKey, signal: AbortSignal) => Promise<RequestRecord | undefined>;
  /**
   * Moves the record of a plant from `started` to `done`.
   * @returns whether the record was in the state `started`
   */
  readonly finish: (plant: RequestedPlant, signal: AbortSignal) => Promise<boolean>;
  /**
   * Moves the record of a plant to `deleted`, unless the record is in this state already.
   * @param attempt the attempt that wrote the item that is going to be deleted
   */
  readonly markDeleted: (plant: RequestedPlant, attempt: string, signal: AbortSignal) => Promise<void>;
}
