import type { Plant, PlantFields } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import {
  type RequestKey,
  type RequestRecord,
  secondsToFinish,
  secondsToRepeat,
} from '../../table/request-record.ts';
import type { PlantItems, RequestRecords } from '../plant-store/plant-items.ts';
import { StoreUnavailable } from '../plant-store/plant-store.ts';

/** A request to add a plant, with a key by which a repetition of the request is recognized. */
export interface RepeatableRequest {
  readonly principal: Principal;
  readonly fields: PlantFields;
  readonly key: RequestKey;
  /** A hash of the principal and the fields, so each repetition has the same one. */
  readonly contentHash: string;
}

/** An earlier request with the same key had other content. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
}

interface Tools {
  readonly items: PlantItems;
  readonly records: RequestRecords;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * Adds the plant of a request once, however often the request is sent within a day, and returns the same
 * plant each time. Each of its three writes does nothing if it was done before, so a repetition continues
 * where an earlier attempt ended:
 * 1. put the record of the request, with the id of its plant, if there is no record;
 * 2. put the plant, if there is no plant with this id;
 * 3. move the record from `started` to `done`, after which a repetition writes nothing, even if the plant was
 * changed.
 *
 * A deletion of the plant moves the record to `deleted` first. A repetition that read `started` before may
 * put the plant back after the deletion. It then cannot move the record to `done`, so it removes the plant,
 * which is visible for the time of two requests to the table. If the process of the repetition ends within
 * that time, the plant stays until the request is repeated within its day, or the plant is deleted.
 *
 * One case needs another deletion: DynamoDB does a put only after its attempt has timed out, the client has
 * sent the put again, and a deletion has ended. The item then has the attempt that the deletion found.
 * @throws {KeyReused}
 * @throws {StoreUnavailable}
 */
export const addOnce = async (
  { items, records, now, newId }: Tools,
  { principal, fields, key, contentHash }: RepeatableRequest,
  signal: AbortSignal,
): Promise<Plant> => {
  const time = now();
  const attempt = newId();
  const expires = Math.ceil(time / 1000) + secondsToRepeat + secondsToFinish;
  const started: RequestRecord = { key, contentHash, id: attempt, state: 'started', expires };
  const isFirst = await records.start(started, time, signal);
  const record = isFirst ? started : await records.find(key, signal);
  // The record can expire and be deleted between `start` and `find`.
  if (record === undefined) throw new StoreUnavailable(new Error('RecordExpired'));
  if (record.contentHash !== contentHash) throw new KeyReused();
  const plant = { id: record.id, ...fields };
  switch (record.state) {
    case 'done':
      return plant;
    case 'deleted':
      await removeIfPutBack(items, principal, record, signal);
      return plant;
    case 'started':
  }
  if (record.expires * 1000 - time < secondsToFinish * 1000)
    throw new StoreUnavailable(new Error('RecordExpires'));
  await items.add({ principal, plant, origin: { request: key, attempt } }, signal);
  if (await records.finish(record, signal)) return plant;
  const current = await records.find(key, signal);
  if (current?.state === 'deleted') await removeIfPutBack(items, principal, current, signal);
  return plant;
};

/**
 * Removes the plant of a deleted record if a repetition put the plant back. The item of such a plant is from
 * another attempt than the item that the deletion found. The deletion itself removes the item that it found,
 * or keeps it if the plant has changed in the meantime. The condition is not the version, because a plant
 * that was put back has the same first version, and may have been changed.
 */
const removeIfPutBack = async (
  items: PlantItems,
  principal: Principal,
  { key, id, deletedAttempt }: RequestRecord,
  signal: AbortSignal,
): Promise<void> => {
  const found = await items.find({ principal, id }, signal);
  if (found === undefined || found === 'damaged') return;
  const { origin } = found;
  if (origin?.request === key && origin.attempt !== deletedAttempt)
    await items.delete({ principal, id }, { attempt: origin.attempt }, signal);
};
