import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoDbClient } from '../../../functions/dynamodb/client.ts';
import { dynamoDbPlantItems } from '../../../functions/plant-store/dynamodb-plant-items.ts';
import { dynamoDbRequestRecords } from '../../../functions/plant-store/dynamodb-request-records.ts';
import type { PlantItems, RequestRecords } from '../../../functions/plant-store/plant-items.ts';
import { StoreUnavailable } from '../../../functions/plant-store/plant-store.ts';
import { fields } from '../../../table/fields.ts';
import { itemOf } from '../../../table/item.ts';
import { itemKey } from '../../../table/keys.ts';
import type { Plant } from '../../../table/plant.ts';
import {
  type RequestKey,
  requestKeyOf,
  type RequestRecord,
  requestSortKey,
} from '../../../table/request-record.ts';
import { requiredSamples } from '../../../table/sample-values.ts';
import { firstVersion } from '../../../table/version.ts';
import { forward, type Reply, startFakeServer } from '../../support/fake-server.ts';
import {
  credentials,
  dynamoDbTable,
  type DynamoDbTable,
  region,
} from '../../support/table/dynamodb-table.ts';
import { declaredFields, withoutOptional } from '../../support/table/field-limits.ts';
import { samplePlant } from '../../support/table/plants.ts';
import { newName } from '../../contract/plants.ts';
import type { Item } from '../../contract/target.ts';

const tableName = 'PlantItemsContract';
const { signal } = new AbortController();

interface Adapters {
  readonly items: PlantItems;
  readonly records: RequestRecords;
}

const adaptersAt = (endpoint: string): Adapters => {
  const client = dynamoDbClient({ region, credentials, endpoint });
  return {
    items: dynamoDbPlantItems(client, tableName),
    records: dynamoDbRequestRecords(client, tableName),
  };
};

const errorReply = (status: number, type: string): Reply => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` })),
});

/** A time in milliseconds, and a record's expiry a day later, in seconds. */
const now = Date.UTC(2026, 10, 28, 18);
const expires = now / 1000 + 86_400;

/**
 * Tests the adapters for single plants and for the records of requests with a DynamoDB.
 * @param start starts the DynamoDB, or finds a running one, and returns its endpoint
 */
export const describePlantItems = (name: string, start: () => Promise<string>): void => {
  describe(`single plants and records of requests in ${name}`, () => {
    let endpoint: string;
    let table: DynamoDbTable;
    let items: PlantItems;
    let records: RequestRecords;

    beforeAll(async () => {
      endpoint = await start();
      table = dynamoDbTable(endpoint, tableName);
      await table.create();
      ({ items, records } = adaptersAt(endpoint));
    });
    afterAll(() => {
      table.close();
    });

    /** The key of a plant that no other test uses. */
    const newKey = () => ({ principal: `user#${newName('user')}`, id: '1' }) as const;
    const plant = samplePlant();
    const version = firstVersion('user#alice', plant);

    /** A plant of the user's own in the table, with its version. */
    const addedPlant = async (fields: Partial<Plant> = {}) => {
      const key = newKey();
      const added = { ...plant, ...fields };
      await items.add({ principal: key.principal, plant: added }, signal);
      return { key, plant: added, version: firstVersion(key.principal, added) };
    };

    describe('a plant', () => {
      it('is found as it was added, with its version, by its own principal and id alone', async () => {
        const { key, version: added } = await addedPlant();
        expect(await items.find(key, signal)).toEqual({ plant, version: added });
        expect(await items.find({ ...key, id: '2' }, signal)).toBeUndefined();
        expect(await items.find({ ...key, principal: newKey().principal }, signal)).toBeUndefined();
      });

      it('has the request and the attempt that added it', async () => {
        const key = newKey();
        const origin = { request: requestKeyOf(key.principal, 'k'), attempt: 'a' };
        await items.add({ principal: key.principal, plant, origin }, signal);
        expect(await items.find(key, signal)).toMatchObject({ plant, origin });
      });

      it('is not replaced by another one with its id', async () => {
        const { key, version: added } = await addedPlant();
        await items.add({ principal: key.principal, plant: { ...plant, name: 'Rose' } }, signal);
        expect(await items.find(key, signal)).toEqual({ plant, version: added });
      });

      it('gets and loses the fields of a change, and keeps all others', async () => {
        const { key, version: before } = await addedPlant();
        const change = { ...withoutOptional, name: 'Rose' };
        expect(await items.change(key, { change, version: before, nextVersion: 'next' }, signal)).toBe(true);
        expect(await items.find(key, signal)).toEqual({
          plant: { ...requiredSamples(fields), id: plant.id, name: 'Rose' },
          version: 'next',
        });
      });

      it('gets and loses fields with names that an expression cannot have', async () => {
        const { key, version: before } = await addedPlant();
        const change = { nextVersion: 'x', version2: null, 'light-level': 5, Größe: true, status: null };
        expect(await items.change(key, { change, version: before, nextVersion: 'next' }, signal)).toBe(true);
        expect(await items.find(key, signal)).toEqual({ plant, version: 'next' });
      });

      it('keeps the request that added it through a change', async () => {
        const key = newKey();
        const origin = { request: requestKeyOf(key.principal, 'k'), attempt: 'a' };
        await items.add({ principal: key.principal, plant, origin }, signal);
        const update = { change: {}, version: firstVersion(key.principal, plant), nextVersion: 'next' };
        expect(await items.change(key, update, signal)).toBe(true);
        expect(await items.find(key, signal)).toEqual({ plant, version: 'next', origin });
      });

      it('is not changed if it has another version, or does not exist', async () => {
        const { key, version: before } = await addedPlant();
        const update = { change: { name: 'Rose' }, version: 'other', nextVersion: 'next' };
        expect(await items.change(key, update, signal)).toBe(false);
        expect(await items.change({ ...key, id: '2' }, update, signal)).toBe(false);
        expect(await items.find(key, signal)).toEqual({ plant, version: before });
        expect(await items.find({ ...key, id: '2' }, signal)).toBeUndefined();
      });

      it('is deleted without a condition, and with its version', async () => {
        for (const hasCondition of [false, true]) {
          const { key, version: added } = await addedPlant();
          const condition = hasCondition ? { version: added } : undefined;
          expect(await items.delete(key, condition, signal)).toBe(true);
          expect(await items.find(key, signal)).toBeUndefined();
          expect(await items.delete(key, condition, signal)).toBe(false);
        }
      });

      it('is deleted if the attempt of the condition has written it', async () => {
        const key = newKey();
        const origin = { request: requestKeyOf(key.principal, 'k'), attempt: 'a' };
        await items.add({ principal: key.principal, plant, origin }, signal);
        expect(await items.delete(key, { attempt: 'b' }, signal)).toBe(false);
        expect(await items.delete(key, { attempt: 'a' }, signal)).toBe(true);
        expect(await items.find(key, signal)).toBeUndefined();
      });

      it('is not deleted if it has another version', async () => {
        const { key, version: added } = await addedPlant();
        expect(await items.delete(key, { version: 'other' }, signal)).toBe(false);
        expect(await items.find(key, signal)).toEqual({ plant, version: added });
      });

      it.each<readonly [what: string, attributes: Item]>([
        ['no version', { version: { NULL: true } }],
        ['a number as version', { version: { N: '1' } }],
        ['a number as name', { name: { N: '5' } }],
        ['an empty name', { name: { S: '' } }],
        ...declaredFields.map(([name]) => [`null as ${name}`, { [name]: { NULL: true } }] as const),
      ])('is damaged with %s', async (_, attributes) => {
        const key = newKey();
        await table.put([{ ...itemOf(key.principal, plant), ...attributes }]);
        expect(await items.find(key, signal)).toBe('damaged');
      });
    });

    /** The record of a request that has not added its plant. */
    const newRecord = (): RequestRecord => ({
      key: requestKeyOf(`user#${newName('user')}`, 'k'),
      contentHash: 'hash',
      id: 'plant-1',
      state: 'started',
      expires,
    });
    const startedRecord = async () => {
      const record = newRecord();
      expect(await records.start(record, now, signal)).toBe(true);
      return record;
    };

    describe('a record', () => {
      it('expires at a time in seconds since 1970, as DynamoDB’s time to live wants it', async () => {
        const bodies: string[] = [];
        const server = await startFakeServer((received) => {
          bodies.push(received.body.toString());
          return forward(endpoint, received);
        });
        await adaptersAt(server.url).records.start(newRecord(), now, signal);
        await server.close();
        expect(bodies).toEqual([expect.stringContaining(`"expires":{"N":"${String(expires)}"}`)]);
      });

      it('is found as it was started, by its own key alone', async () => {
        const record = await startedRecord();
        expect(await records.find(record.key, signal)).toEqual(record);
        expect(await records.find(`${record.key}x`, signal)).toBeUndefined();
      });

      it.each([
        ['is not replaced until it expires', -1, false],
        ['is replaced when it has expired', 0, true],
      ])('%s', async (_, seconds, isReplaced) => {
        const record = await startedRecord();
        const later = { ...record, id: 'plant-2', contentHash: 'other', expires: expires + 86_400 };
        expect(await records.start(later, (expires + seconds) * 1000, signal)).toBe(isReplaced);
        expect(await records.find(record.key, signal)).toEqual(isReplaced ? later : record);
      });

      it('is finished once, if it is started and has the id', async () => {
        const record = await startedRecord();
        expect(await records.finish({ ...record, id: 'plant-2' }, signal)).toBe(false);
        expect(await records.finish(record, signal)).toBe(true);
        expect(await records.find(record.key, signal)).toEqual({ ...record, state: 'done' });
        expect(await records.finish(record, signal)).toBe(false);
      });

      it.each([
        ['a started record', false],
        ['a finished record', true],
      ])('is marked as deleted once, with the first attempt: %s', async (_, isFinished) => {
        const record = await startedRecord();
        if (isFinished) await records.finish(record, signal);
        await records.markDeleted(record, 'a', signal);
        await records.markDeleted(record, 'b', signal);
        const deleted = { ...record, state: 'deleted', deletedAttempt: 'a' };
        expect(await records.find(record.key, signal)).toEqual(deleted);
        expect(await records.finish(record, signal)).toBe(false);
        expect(await records.find(record.key, signal)).toEqual(deleted);
      });

      it('is not marked as deleted for another plant', async () => {
        const record = await startedRecord();
        await records.markDeleted({ ...record, id: 'plant-2' }, 'a', signal);
        expect(await records.find(record.key, signal)).toEqual(record);
      });

      it('is not made by finishing or by a deletion', async () => {
        const record = newRecord();
        expect(await records.finish(record, signal)).toBe(false);
        await records.markDeleted(record, 'a', signal);
        expect(await records.find(record.key, signal)).toBeUndefined();
      });

      it.each<readonly [what: string, attributes: Item]>([
        ['another state', { state: { S: 'other' } }],
        ['no id', { id: { NULL: true } }],
        ['a number as hash', { contentHash: { N: '1' } }],
        ['a text as expiry', { expires: { S: 'x' } }],
      ])('that is damaged, with %s, is an error other than StoreUnavailable', async (_, attributes) => {
        const { key, contentHash, id, state } = newRecord();
        const attributesOfRecord = {
          contentHash: { S: contentHash },
          id: { S: id },
          state: { S: state },
          expires: { N: String(expires) },
        };
        await table.put([{ ...itemKey(key, requestSortKey), ...attributesOfRecord, ...attributes }]);
        const error: unknown = await records.find(key, signal).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toBeInstanceOf(StoreUnavailable);
      });
    });

    const anyKey = { principal: 'user#alice', id: '1' } as const;
    const request: RequestKey = requestKeyOf('user#alice', 'k');
    const requested = { key: request, id: '1' };
    const update = { change: { name: 'Rose' }, version, nextVersion: 'next' };
    type Run = (adapters: Adapters, signal: AbortSignal) => Promise<unknown>;
    const actions: readonly (readonly [what: string, run: Run])[] = [
      ['finding a plant', (at, until) => at.items.find(anyKey, until)],
      ['adding a plant', (at, until) => at.items.add({ principal: 'user#alice', plant }, until)],
      ['changing a plant', (at, until) => at.items.change(anyKey, update, until)],
      ['deleting a plant', (at, until) => at.items.delete(anyKey, { version }, until)],
      ['starting a record', (at, until) => at.records.start(newRecord(), now, until)],
      ['finding a record', (at, until) => at.records.find(request, until)],
      ['finishing a record', (at, until) => at.records.finish(requested, until)],
      ['marking a record as deleted', (at, until) => at.records.markDeleted(requested, 'a', until)],
    ];

    describe.each(actions)('%s', (_, run) => {
      it.each([
        ['StoreUnavailable', 'throttles', 400, 'ProvisionedThroughputExceededException'],
        ['StoreUnavailable', 'has an internal error', 500, 'InternalServerError'],
        ['another error', 'refuses the action', 400, 'ValidationException'],
      ])('fails with %s when DynamoDB %s', async (expected, _reason, status, type) => {
        const server = await startFakeServer(() => Promise.resolve(errorReply(status, type)));
        const failure = await run(adaptersAt(server.url), signal).then(
          () => 'none',
          (error: unknown) => (error instanceof StoreUnavailable ? 'StoreUnavailable' : 'another error'),
        );
        await server.close();
        expect(failure).toBe(expected);
      });

      it('fails without a request if the deadline has passed', async () => {
        let received = 0;
        const server = await startFakeServer((request) => {
          received += 1;
          return forward(endpoint, request);
        });
        await expect(run(adaptersAt(server.url), AbortSignal.abort())).rejects.toThrow();
        await server.close();
        expect(received).toBe(0);
      });
    });

    it('the put of a plant with a request is sent once, so that its attempt is in one put only', async () => {
      let received = 0;
      const server = await startFakeServer(() => {
        received += 1;
        return Promise.resolve(errorReply(500, 'InternalServerError'));
      });
      const origin = { request, attempt: 'a' };
      const adding = adaptersAt(server.url).items.add({ principal: 'user#alice', plant, origin }, signal);
      await expect(adding).rejects.toThrow(StoreUnavailable);
      expect(received).toBe(1);
      await server.close();
    });

    it('a write whose every response is lost fails with StoreUnavailable, and is done', async () => {
      const server = await startFakeServer(async (received) => {
        await forward(endpoint, received);
        throw new Error('The response is lost.');
      });
      const key = newKey();
      const adding = adaptersAt(server.url).items.add({ principal: key.principal, plant }, signal);
      await expect(adding).rejects.toThrow(StoreUnavailable);
      expect(await items.find(key, signal)).toMatchObject({ plant });
      await server.close();
    });
  });
};
