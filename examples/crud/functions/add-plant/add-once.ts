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

/** How often a plant is put if the table does not respond. */
const maxPuts = 3;

/**
 * Adds the plant of a request once, however often the request is sent within a day, and returns the same
 * plant each time. Each of its three writes does nothing if it was done before, so a repetition continues
 * where an earlier attempt ended:
 * 1. put the record of the request, with the id of its plant, if there is no record;
 * 2. put the plant, if there is no plant with this id;
 * 3. move the record from `started` to `done`, after which a repetition writes nothing, even if the plant was
 * changed.
 *
 * If the table does not respond to step 2, all steps are taken again, with another attempt.
 *
 * A deletion of the plant moves the record to `deleted` first. An attempt that read `started` before may put
 * the plant back after the deletion. It then cannot move the record to `done`, so it removes the plant, which
 * is visible for the time of two requests to the table. If the process of the attempt ends within that time,
 * the plant stays until the request is repeated within its day, or the plant is deleted. It also stays if
 * DynamoDB does the put of an attempt that was given up only after a deletion has ended.
 * @throws {KeyReused}
 * @throws {StoreUnavailable}
 */
export const addOnce = async (
  tools: Tools,
  request: RepeatableRequest,
  signal: AbortSignal,
): Promise<Plant> => {
  for (let puts = 1; ; puts += 1)
    try {
      return await addInOneAttempt(tools, request, signal);
    } catch (error) {
      if (!(error instanceof PutFailed) || puts === maxPuts || signal.aborted) throw error;
    }
};

/** The table did not respond to the put of the plant, which it may have done. */
class PutFailed extends StoreUnavailable {}

/**
 * Takes the three steps once.
 * @throws {PutFailed} after step 2, and otherwise what `addOnce` throws
 */
const addInOneAttempt = async (
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
  await items.add({ principal, plant, origin: { request: key, attempt } }, signal).catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? new PutFailed(error.cause) : error;
  });
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
