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

/** A request to add a plant, which can be repeated. */
export interface RepeatableRequest {
  readonly principal: Principal;
  readonly fields: PlantFields;
  readonly key: RequestKey;
  /** The same for each repetition. */
  readonly contentHash: string;
}

/** An earlier request with the key had another content. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
}

/** What `addOnce` uses. */
interface Tools {
  readonly items: PlantItems;
  readonly records: RequestRecords;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * Adds the plant of a request once, however often the request is sent within a day, and returns the same
 * plant each time. Three writes, each of which does nothing if it was done before, so that a repetition goes
 * on where another process ended:
 * 1. the record of the request with the id of its plant, if there is none;
 * 2. the plant, if there is none;
 * 3. the record's state `done`, after which a repetition writes nothing, also when the plant was changed.
 *
 * A deletion of the plant first moves the record to `deleted`. A repetition that had already seen `started`
 * may put the plant back after the deletion. It then finds that it cannot move the record to `done`, and
 * removes the plant, which is visible for the time of two requests to the table. If the process of the
 * repetition ends within that time, the plant stays until the request is repeated or the plant is deleted.
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
  const expires = Math.floor(time / 1000) + secondsToRepeat;
  const started: RequestRecord = { key, contentHash, id: attempt, state: 'started', expires };
  const isFirst = await records.start(started, time, signal);
  const record = isFirst ? started : await records.find(key, signal);
  // Between both requests, DynamoDB can delete a record that has just expired.
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
 * Removes the plant of a deleted record if a repetition put it back. Its item is then from another attempt
 * than the item that the deletion found. The deletion removes that item itself, or keeps it if the plant has
 * changed in the meantime. The condition is not the version, because the plant that was put back has the same
 * first version, and may have been changed.
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
