import type { Plant, PlantFields } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import type { RequestKey, RequestRecord } from '../../table/request-record.ts';
import { firstVersion } from '../../table/version.ts';
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
 * 3. the record's state `done`, after which a repetition writes nothing, also when the plant was changed. A
 * deletion of the plant first moves the record to `deleted`. A repetition that had already seen `started`
 * then finds that it cannot move the record to `done`, and removes the plant that it may have put back.
 * @throws {KeyReused}
 * @throws {StoreUnavailable}
 */
export const addOnce = async (
  { items, records, now, newId }: Tools,
  { principal, fields, key, contentHash }: RepeatableRequest,
  signal: AbortSignal,
): Promise<Plant> => {
  const started: RequestRecord = { key, contentHash, id: newId(), state: 'started' };
  const isFirst = await records.start(started, now(), signal);
  const record = isFirst ? started : await records.find(key, signal);
  // Between both requests, DynamoDB can delete a record that has just expired.
  if (record === undefined) throw new StoreUnavailable(new Error('RecordExpired'));
  if (record.contentHash !== contentHash) throw new KeyReused();
  const plant = { id: record.id, ...fields };
  if (record.state !== 'started') return plant;
  await items.add({ principal, plant, request: key }, signal);
  if (await records.move(key, ['started'], 'done', signal)) return plant;
  const { state } = (await records.find(key, signal)) ?? {};
  // A plant with another version was not put back here.
  if (state === 'deleted') await items.delete({ principal, id: plant.id }, firstVersion(plant), signal);
  return plant;
};
