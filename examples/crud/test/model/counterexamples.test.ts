import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { respond as add } from '../../functions/add-plant/respond.ts';
import { respond as change } from '../../functions/change-plant/respond.ts';
import { respond as remove } from '../../functions/delete-plant/respond.ts';
import type { HttpEvent, HttpResult } from '../../functions/http/payload-format.ts';
import { ServiceError } from '../../functions/http/service-error.ts';
import { StoreUnavailable } from '../../functions/plant-store/plant-store.ts';
import { embeddedStore } from '../../local/store/embedded-store.ts';
import type { Plant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import { requestKeyOf, secondsToFinish, secondsToRepeat } from '../../table/request-record.ts';
import { firstVersion, nextVersion } from '../../table/version.ts';
import { startServer } from '../support/loopback-server.ts';
import { recordingLog } from '../support/recording-log.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { dynamoDbEngine } from './dynamodb-engine.ts';
import type { Engine } from './engine.ts';
import { memoryEngine } from './memory-engine.ts';
import { portsThrough, type StoreCall } from './ports-through.ts';

// Each test is the shortest scenario of a defect that breaks a law of repetition.ts. The model finds some of
// these defects only in many runs.

const { signal } = new AbortController();
const day = secondsToRepeat * 1000;
const minute = secondsToFinish * 1000;
const alice = 'user#alice';
const gardeners = 'group#gardeners';
const fern = plantWith({ name: 'Fern' });
const withKey: HttpEvent = { headers: { 'idempotency-key': 'key' }, body: JSON.stringify(fern) };

const ifMatch = (id: string, version: string, body?: object): HttpEvent => ({
  pathParameters: { id },
  headers: { 'if-match': `"${version}"` },
  body: JSON.stringify(body),
});

/** What happens before requests of a kind to the table, and after the put of a plant. */
type Before = Partial<Readonly<Record<StoreCall['kind'] | 'afterAdd', () => Promise<void>>>>;

/** Alice's requests to a table, and what an import does. */
const usersOf = (engine: Engine) => {
  const clock = { now: Date.UTC(2030, 0, 1) };
  let ids = 0;
  const send = (respond: typeof add, event: HttpEvent, before: Before = {}): Promise<HttpResult> => {
    const { items, records } = portsThrough(engine.ports, async (call, request, given) => {
      if (given !== signal) throw new Error(`${call.kind} would not end at the deadline of the request.`);
      await before[call.kind]?.();
      const result = await request();
      if (call.kind === 'add') await before.afterAdd?.();
      return result;
    });
    const newId = (): string => {
      ids += 1;
      return `id-${String(ids)}`;
    };
    const lambda = { subject: 'alice', groups: ['gardeners'], expiresAt: clock.now / 1000 + 60 };
    const dependencies = { items, records, log: recordingLog(), now: () => clock.now, newId };
    return respond(dependencies, { ...event, requestContext: { authorizer: { lambda } } }, signal);
  };
  return {
    clock,
    send,
    find: (id: string, principal: Principal = alice) => engine.observer.items.find({ principal, id }, signal),
    importPlant: (principal: Principal, plant: Plant) =>
      engine.observer.items.add({ principal, plant }, signal),
  };
};

/** Ends an operation where it is, as a table that does not respond does. */
const end = (): Promise<never> => Promise.reject(new StoreUnavailable(new Error('ended')));

const fails = (sent: Promise<HttpResult>, error: number): Promise<void> =>
  expect(sent).rejects.toSatisfy((each) => each instanceof ServiceError && each.entry.error === error);

const versionOfFern = (id: string): string => firstVersion(alice, { id, ...fern });
const id = 'id-1';

const dynalite = startServer(embeddedStore());

describe.each([
  ['a table in memory', () => Promise.resolve(memoryEngine())],
  ['dynalite', async () => dynamoDbEngine(await dynalite)],
] as const)('in %s', (_, start) => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await start();
  });
  afterEach(() => engine.close());

  it('a repetition removes a plant that it put back after the deletion, even if it was changed', async () => {
    const { send, find } = usersOf(engine);
    await fails(send(add, withKey, { finish: end }), 2001);
    const deleteIt = async (): Promise<void> => {
      await send(remove, { pathParameters: { id } });
    };
    const changeIt = async (): Promise<void> => {
      await send(change, ifMatch(id, versionOfFern(id), { tag: 'x' }));
    };
    await send(add, withKey, { add: deleteIt, finish: changeIt });
    expect(await find(id)).toBeUndefined();
  });

  it('a repetition leaves a plant whose deletion ended before it removed the plant', async () => {
    const { send, find } = usersOf(engine);
    await fails(send(add, withKey, { finish: end }), 2001);
    const beginDeletion = (): Promise<void> =>
      fails(send(remove, { pathParameters: { id } }, { delete: end }), 2001);
    await send(add, withKey, { finish: beginDeletion });
    await send(add, withKey);
    expect(await find(id)).toBeDefined();
  });

  it('a repetition leaves a plant whose deletion marked the record and failed with 412', async () => {
    const { send, find } = usersOf(engine);
    await fails(send(add, withKey, { finish: end }), 2001);
    const changeIt = async (): Promise<void> => {
      await send(change, ifMatch(id, versionOfFern(id), { tag: 'x' }));
    };
    const failToDelete = (): Promise<void> =>
      fails(send(remove, ifMatch(id, versionOfFern(id)), { delete: changeIt }), 1012);
    await send(add, withKey, { finish: failToDelete });
    await send(add, withKey);
    expect(await find(id)).toMatchObject({ plant: { tag: 'x' } });
  });

  it('a repetition removes what an earlier one had put back when its process ended', async () => {
    const { send, find } = usersOf(engine);
    await fails(send(add, withKey, { finish: end }), 2001);
    const deleteIt = async (): Promise<void> => {
      await send(remove, { pathParameters: { id } });
    };
    await fails(send(add, withKey, { add: deleteIt, finish: end }), 2001);
    expect(await find(id)).toBeDefined();
    expect(await send(add, withKey)).toMatchObject({ statusCode: 201 });
    expect(await find(id)).toBeUndefined();
  });

  it('a repetition removes a plant that it put back, even if a second deletion has begun', async () => {
    const { send, find } = usersOf(engine);
    await fails(send(add, withKey, { finish: end }), 2001);
    const deleteIt = async (): Promise<void> => {
      await send(remove, { pathParameters: { id } });
    };
    const beginDeletion = (): Promise<void> =>
      fails(send(remove, { pathParameters: { id } }, { delete: end }), 2001);
    await send(add, withKey, { add: deleteIt, finish: beginDeletion });
    expect(await find(id)).toBeUndefined();
  });

  it.each([
    ['the record is read again', 'start'],
    ['the put is sent again', 'add'],
  ] as const)(
    'a put whose response was lost brings no plant back that is deleted before %s',
    async (_, kind) => {
      const { send, find } = usersOf(engine);
      let requests = 0;
      const deleteBeforeSecond = async (): Promise<void> => {
        requests += 1;
        if (requests === 2) await send(remove, { pathParameters: { id } });
      };
      const afterAdd = (): Promise<void> => (requests === 1 ? end() : Promise.resolve());
      expect(await send(add, withKey, { [kind]: deleteBeforeSecond, afterAdd })).toMatchObject({
        statusCode: 201,
      });
      expect(requests).toBe(2);
      expect(await find(id)).toBeUndefined();
    },
  );

  it('a repetition that removes a plant leaves one that was imported meanwhile with its id', async () => {
    const { send, find, importPlant } = usersOf(engine);
    await fails(send(add, withKey, { finish: end }), 2001);
    const deleteIt = async (): Promise<void> => {
      await send(remove, { pathParameters: { id } });
    };
    const importAgain = async (): Promise<void> => {
      await deleteIt();
      await importPlant(alice, { id, ...fern });
    };
    await send(add, withKey, { add: deleteIt, delete: importAgain });
    expect(await find(id)).toBeDefined();
  });

  it('a repetition leaves a plant that was imported again with the id of a deleted one', async () => {
    const { send, find, importPlant } = usersOf(engine);
    await send(add, withKey);
    await send(remove, { pathParameters: { id } });
    await importPlant(alice, { id, ...fern });
    expect(await send(add, withKey)).toMatchObject({ statusCode: 201 });
    expect(await find(id)).toBeDefined();
  });

  it('a deletion of yesterday’s plant leaves the plant of today’s request with the key', async () => {
    const { clock, send, find } = usersOf(engine);
    await send(add, withKey);
    clock.now += day + minute;
    const deleteFirst = async (): Promise<void> => {
      await send(remove, { pathParameters: { id } });
    };
    expect(await send(add, withKey, { finish: deleteFirst })).toMatchObject({ statusCode: 201 });
    await send(add, withKey);
    expect(await find('id-2')).toBeDefined();
  });

  it('a request that outlives its record does not end the request of the next day', async () => {
    const { clock, send, find } = usersOf(engine);
    await fails(send(add, withKey, { add: end }), 2001);
    clock.now += day - minute;
    // It begins two minutes before the record expires, and is far slower than a function can be.
    const beginNext = async (): Promise<void> => {
      clock.now += day;
      await fails(send(add, withKey, { add: end }), 2001);
    };
    await send(add, withKey, { finish: beginNext });
    const next = (await engine.observer.records.find(requestKeyOf(alice, 'key'), signal))?.id ?? '';
    expect(await find(next)).toBeUndefined();
    await send(add, withKey);
    expect(await find(next)).toBeDefined();
  });

  it('a key is recognized for a day after the response, even if the first request was slow', async () => {
    const { clock, send } = usersOf(engine);
    const beSlow = (): Promise<void> => {
      clock.now += 5000;
      return Promise.resolve();
    };
    const first = await send(add, withKey, { start: beSlow });
    clock.now += day;
    expect(await send(add, withKey)).toEqual(first);
  });

  it('a repetition at the end of the day continues a request that added nothing', async () => {
    const { clock, send, find } = usersOf(engine);
    // The record's expiry is in whole seconds.
    clock.now += 999;
    await fails(send(add, withKey, { add: end }), 2001);
    clock.now += day;
    expect(await send(add, withKey)).toMatchObject({ statusCode: 201 });
    expect(await find(id)).toBeDefined();
  });

  it('a repetition in the minute after the day adds nothing, and adds another plant after it', async () => {
    const { clock, send, find } = usersOf(engine);
    await fails(send(add, withKey, { add: end }), 2001);
    clock.now += day + 1;
    await fails(send(add, withKey), 2001);
    expect(await find(id)).toBeUndefined();
    clock.now += minute;
    expect(await send(add, withKey)).toMatchObject({ statusCode: 201 });
    expect(await find(id)).toBeUndefined();
  });

  it('a deletion that another one overtakes succeeds, and leaves the copy of a group', async () => {
    const { send, find, importPlant } = usersOf(engine);
    const plant = { id: 'shared', ...fern };
    await importPlant(alice, plant);
    await importPlant(gardeners, plant);
    const event = ifMatch(plant.id, firstVersion(alice, plant));
    const deleteFirst = async (): Promise<void> => {
      await send(remove, event);
    };
    expect(await send(remove, event, { delete: deleteFirst })).toMatchObject({ statusCode: 204 });
    expect(await find(plant.id, gardeners)).toBeDefined();
  });

  it('a change that accepts its own result is made once, however often it is sent', async () => {
    const { send } = usersOf(engine);
    await send(add, withKey);
    const version = versionOfFern(id);
    const event = ifMatch(id, `${version}", "${nextVersion(version, { tag: 'x' })}`, { tag: 'x' });
    const first = await send(change, event);
    expect(await send(change, event)).toEqual(first);
  });

  it('a change that another one overtakes gets 412, also if it accepts the other’s version', async () => {
    const { send, find } = usersOf(engine);
    await send(add, withKey);
    const version = versionOfFern(id);
    const other = nextVersion(version, { tag: 'first' });
    const overtake = async (): Promise<void> => {
      await send(change, ifMatch(id, version, { tag: 'first' }));
    };
    const event = ifMatch(id, `${version}", "${other}`, { tag: 'second' });
    await fails(send(change, event, { change: overtake }), 1012);
    expect(await find(id)).toMatchObject({ plant: { tag: 'first' } });
  });

  it('a change that another one overtakes gets 412 and changes nothing', async () => {
    const { send, find } = usersOf(engine);
    await send(add, withKey);
    const version = versionOfFern(id);
    const overtake = async (): Promise<void> => {
      await send(change, ifMatch(id, version, { tag: 'first' }));
    };
    await fails(send(change, ifMatch(id, version, { tag: 'second' }), { change: overtake }), 1012);
    expect(await find(id)).toMatchObject({ plant: { tag: 'first' } });
  });

  it.each([
    ['DELETE', remove],
    ['PATCH', change],
  ] as const)(
    'a %s with If-Match leaves the copy of a group when the own plant is gone',
    async (_, respond) => {
      const { send, find, importPlant } = usersOf(engine);
      const plant = { id: 'shared', ...fern };
      await importPlant(alice, plant);
      await importPlant(gardeners, plant);
      const version = firstVersion(alice, plant);
      await send(remove, ifMatch(plant.id, version));
      await fails(send(respond, ifMatch(plant.id, version, { tag: 'x' })), 1012);
      expect(await find(plant.id, gardeners)).toMatchObject({ plant });
    },
  );
});
