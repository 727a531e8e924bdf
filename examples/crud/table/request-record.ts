import type { Principal } from './principal.ts';

/**
 * The partition of one request that can be repeated. It is that of no user and no group, so it is never
 * listed.
 */
export type RequestKey = `request#${string}`;

/**
 * The partition of a caller's request with a key. A key has no U+0000, so no two requests share a partition.
 */
export const requestKeyOf = (caller: Principal, idempotencyKey: string): RequestKey =>
  `request#${caller}\u0000${idempotencyKey}`;

/** Whether a value is the partition of a request. */
export const isRequestKey = (value: unknown): value is RequestKey =>
  typeof value === 'string' && value.startsWith('request#');

/** The sort key of every record: a partition holds one. */
export const requestSortKey = 'request';

/** The attribute by which DynamoDB deletes expired records (time to live), in seconds since 1970. */
export const expiryAttribute = 'expires';

/** How long a request can be repeated. */
export const secondsToRepeat = 24 * 60 * 60;

/**
 * A repetition adds a plant only if the record lives for this long, several times the timeout of a function.
 * So no request adds a plant whose record has expired, by which a deletion could stop it.
 */
export const secondsToFinish = 60;

/**
 * Where a request with an `Idempotency-Key` is: its plant may be missing (`started`), was added (`done`), or
 * was added and deleted (`deleted`).
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

/** The record of a request that added a plant, or is going to. */
export interface RequestRecord extends RequestedPlant {
  /** Of the group and the fields, by which a repetition is known. */
  readonly contentHash: string;
  readonly state: RequestState;
  /** In seconds since 1970. */
  readonly expires: number;
  /** In the state `deleted`, the attempt that had written the item that the deletion found. */
  readonly deletedAttempt?: string;
}
