import type { Principal } from './principal.ts';

/**
 * The partition key of the record of a request. It is not a user's or a group's, so the record is never
 * listed as a plant.
 */
export type RequestKey = `request#${string}`;

/**
 * The partition key for a caller's `Idempotency-Key`. That key has no U+0000, so no two callers and no two
 * keys share a partition.
 */
export const requestKeyOf = (caller: Principal, idempotencyKey: string): RequestKey =>
  `request#${caller}\u0000${idempotencyKey}`;

/** Whether a value is the partition key of a record. */
export const isRequestKey = (value: unknown): value is RequestKey =>
  typeof value === 'string' && value.startsWith('request#');

/** The sort key of every record. It is constant, because a partition holds one record. */
export const requestSortKey = 'request';

/** The attribute by which DynamoDB deletes expired records (time to live), in seconds since 1970. */
export const expiryAttribute = 'expires';

/** How long a repetition of a request is recognized. */
export const secondsToRepeat = 24 * 60 * 60;

/**
 * How much longer a record is kept: several times the timeout of a function. A request that began within the
 * day can end in this time, also when its writes are late. A repetition that begins in this time adds no
 * plant, so the record of each added plant can still be moved to `deleted` by a deletion.
 */
export const secondsToFinish = 60;

/**
 * The state of a request with an `Idempotency-Key`: its plant may not be added yet (`started`), was added
 * (`done`), or was added and deleted (`deleted`).
 */
export type RequestState = (typeof requestStates)[number];

const requestStates = ['started', 'done', 'deleted'] as const;

export const isRequestState = (value: unknown): value is RequestState =>
  requestStates.some((state) => state === value);

/** A request and its plant. A key that is used again after a day has another plant. */
export interface RequestedPlant {
  readonly key: RequestKey;
  /** The id of the plant. */
  readonly id: string;
}

/** The record of a request that has added a plant, or will add it. */
export interface RequestRecord extends RequestedPlant {
  /** A hash of the principal and the fields. A request with the same key and another hash is refused. */
  readonly contentHash: string;
  readonly state: RequestState;
  /** In seconds since 1970. */
  readonly expires: number;
  /** In the state `deleted`, the attempt that had written the item that the deletion found. */
  readonly deletedAttempt?: string;
}
