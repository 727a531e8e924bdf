import { expect, it, vi } from 'vitest';
import { itemKey } from '../../table/keys.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { secondsToRepeat } from '../../table/request-record.ts';
import type { GuardedStore } from '../support/table/guarded-store.ts';
import { type Caller, namesIn, newCaller } from './plants.ts';
import { added, outcomeOf, patch, plantIn, post, remove } from './single-plants.ts';
import type { Target } from './target.ts';

const isWrite = (action: string): boolean => /:(?:Put|Update|Delete)Item$/.test(action);
const storeUnavailable = { status: 400, body: { error: 2001 } };

/** Processes that end between two writes, responses that are lost, and requests that overlap. */
export const describeInterruptions = (target: () => Target, guard: () => GuardedStore): void => {
  /** Fails the write number `count` of an operation, and every later action of the operation. */
  const endBefore = (operation: string, count: number): void => {
    let writes = 0;
    guard().intercept((id, action, forward) => {
      if (id === operation && isWrite(action)) writes += 1;
      return id === operation && writes >= count ? Promise.reject(new Error('ended')) : forward();
    });
  };

  /** Loses the response to each first attempt of a write of an operation. */
  const loseResponses = (operation: string): void => {
    const lost = new Set<string>();
    guard().intercept(async (id, action, forward) => {
      const reply = await forward();
      if (id !== operation || !isWrite(action) || lost.has(action)) return reply;
      lost.add(action);
      throw new Error('lost');
    });
  };

  /** The paths of the plants in the caller’s list. */
  const listedPaths = async (caller: Caller): Promise<readonly string[]> => {
    const { body } = await caller.get('/plants');
    return [...JSON.stringify(body).matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => `/plants/${id}`);
  };

  it.each([1, 2, 3])(
    'a POST that ends before its write %i adds one plant when it is repeated',
    async (count) => {
      const caller = newCaller(target());
      const key = { 'idempotency-key': crypto.randomUUID() };
      endBefore('AddPlant', count);
      expect(await post(caller, { name: 'Fern' }, key)).toMatchObject(storeUnavailable);
      guard().intercept();
      const first = outcomeOf(await post(caller, { name: 'Fern' }, key));
      expect(first).toMatchObject({ status: 201 });
      expect(outcomeOf(await post(caller, { name: 'Fern' }, key))).toEqual(first);
      expect(namesIn(await caller.get('/plants'))).toEqual(['Fern']);
    },
  );

  it('a POST that ended after its plant was added keeps a change that was made since', async () => {
    const caller = newCaller(target());
    const key = { 'idempotency-key': crypto.randomUUID() };
    endBefore('AddPlant', 3);
    await post(caller, { name: 'Fern' }, key);
    guard().intercept();
    const [path = ''] = await listedPaths(caller);
    const plant = plantIn(await caller.get(path));
    const changed = plantIn(await patch(caller, plant, { name: 'Rose' }));
    expect(plantIn(await post(caller, { name: 'Fern' }, key), 201)).toEqual(plant);
    expect(plantIn(await caller.get(path))).toEqual(changed);
  });

  it.each([1, 2])(
    'a DELETE that ends before its write %i deletes the plant when it is repeated',
    async (count) => {
      const caller = newCaller(target());
      const key = { 'idempotency-key': crypto.randomUUID() };
      const first = await post(caller, { name: 'Fern' }, key);
      const { path } = plantIn(first, 201);
      endBefore('DeletePlant', count);
      expect(await remove(caller, path)).toMatchObject(storeUnavailable);
      expect(await caller.get(path)).toMatchObject({ status: 200 });
      guard().intercept();
      expect(await remove(caller, path)).toMatchObject({ status: 204 });
      expect(outcomeOf(await post(caller, { name: 'Fern' }, key))).toEqual(outcomeOf(first));
      expect((await caller.get('/plants')).body).toEqual([]);
    },
  );

  it('a PATCH that ends before its write changes the plant once when it is repeated', async () => {
    const caller = newCaller(target());
    const plant = await added(caller, { name: 'Fern' });
    endBefore('ChangePlant', 1);
    expect(await patch(caller, plant, { name: 'Rose' })).toMatchObject(storeUnavailable);
    guard().intercept();
    const first = outcomeOf(await patch(caller, plant, { name: 'Rose' }));
    expect(outcomeOf(await patch(caller, plant, { name: 'Rose' }))).toEqual(first);
  });

  it('each operation responds as usual when the first responses to its writes are lost', async () => {
    const caller = newCaller(target());
    const key = { 'idempotency-key': crypto.randomUUID() };
    loseResponses('AddPlant');
    const keyed = await added(caller, { name: 'Fern' }, key);
    loseResponses('AddPlant');
    await added(caller, { name: 'Rose' });
    expect(namesIn(await caller.get('/plants')).toSorted()).toEqual(['Fern', 'Rose']);
    loseResponses('ChangePlant');
    const changed = plantIn(await patch(caller, keyed, { tag: 'x' }));
    expect(plantIn(await caller.get(keyed.path))).toEqual(changed);
    loseResponses('DeletePlant');
    const headers = { 'if-match': changed.etag };
    expect(await remove(caller, keyed.path, headers)).toMatchObject({ status: 204 });
    expect(namesIn(await caller.get('/plants'))).toEqual(['Rose']);
  });

  /**
   * 1. Adds a plant with a request that fails before its record is `done`.
   * 2. Repeats the request. Deletes the plant just before the repetition writes the plant.
   * @param endAtWrite fails this write of the repetition and all later actions; by default, none
   */
  const repeatWhileDeleted = async (caller: Caller, endAtWrite = Infinity) => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    endBefore('AddPlant', 3);
    expect(await post(caller, { name: 'Fern' }, key)).toMatchObject(storeUnavailable);
    const [path = ''] = await listedPaths(caller);
    const first = plantIn(await caller.get(path));
    let writes = 0;
    guard().intercept(async (id, action, forward) => {
      if (id !== 'AddPlant') return forward();
      if (isWrite(action)) writes += 1;
      // The first write is refused, because there is a record. The second is the plant's.
      if (writes === 2 && action.endsWith(':PutItem'))
        expect(await remove(caller, path)).toMatchObject({ status: 204 });
      if (writes >= endAtWrite) throw new Error('ended');
      return forward();
    });
    const response = await post(caller, { name: 'Fern' }, key);
    guard().intercept();
    return { key, first, response };
  };

  it('a POST that read its record before a deletion gets the first response, and adds nothing', async () => {
    const caller = newCaller(target());
    const { first, response } = await repeatWhileDeleted(caller);
    expect(plantIn(response, 201)).toEqual(first);
    expect((await caller.get('/plants')).body).toEqual([]);
    expect(await caller.get(first.path)).toMatchObject({ status: 404 });
  });

  it.each([3, 4])(
    'a deleted plant that a repetition put back before it ended at write %i is deleted by the next one',
    async (endAtWrite) => {
      const caller = newCaller(target());
      const { key, first, response } = await repeatWhileDeleted(caller, endAtWrite);
      expect(response).toMatchObject(storeUnavailable);
      expect(plantIn(await post(caller, { name: 'Fern' }, key), 201)).toEqual(first);
      expect((await caller.get('/plants')).body).toEqual([]);
    },
  );

  it('a deletion leaves the record of a later request with the same key alone', async () => {
    const twoDays = 2 * secondsToRepeat * 1000;
    const key = { 'idempotency-key': crypto.randomUUID() };
    vi.useFakeTimers({ now: Date.now() - twoDays, toFake: ['Date'] });
    const earlier = newCaller(target());
    const first = await added(earlier, { name: 'Fern' }, key);
    vi.useRealTimers();
    const caller = newCaller(target(), [], earlier.subject);
    guard().intercept(async (id, action, forward) => {
      // After the later request has put its plant, and before its record says so.
      if (id === 'AddPlant' && action.endsWith(':UpdateItem'))
        expect(await remove(caller, first.path)).toMatchObject({ status: 204 });
      return forward();
    });
    const second = await added(caller, { name: 'Fern' }, key);
    guard().intercept();
    expect(second.id).not.toBe(first.id);
    expect((await caller.get('/plants')).body).toEqual([plantWith({ id: second.id, name: 'Fern' })]);
  });

  /** Runs something once before an operation's first action with this name. */
  const runBefore = (operation: string, name: string, run: () => Promise<unknown>): void => {
    let hasRun = false;
    guard().intercept(async (id, action, forward) => {
      if (id === operation && action === `dynamodb:${name}` && !hasRun) {
        hasRun = true;
        await run();
      }
      return forward();
    });
  };

  it('a DELETE with If-Match rejects a change that is made after it has read the plant', async () => {
    const caller = newCaller(target());
    const key = { 'idempotency-key': crypto.randomUUID() };
    const plant = await added(caller, { name: 'Fern' }, key);
    runBefore('DeletePlant', 'DeleteItem', () => patch(caller, plant, { name: 'Rose' }));
    const response = await remove(caller, plant.path, { 'if-match': plant.etag });
    expect(response).toMatchObject({ status: 412, body: { error: 1012 } });
    guard().intercept();
    expect(plantIn(await post(caller, { name: 'Fern' }, key), 201)).toEqual(plant);
    expect((await caller.get(plant.path)).body).toMatchObject({ name: 'Rose' });
  });

  it('a DELETE without If-Match deletes a change that is made after it has read the plant', async () => {
    const caller = newCaller(target());
    const plant = await added(caller, { name: 'Fern' });
    runBefore('DeletePlant', 'DeleteItem', () => patch(caller, plant, { name: 'Rose' }));
    expect(await remove(caller, plant.path)).toMatchObject({ status: 204 });
    expect((await caller.get('/plants')).body).toEqual([]);
  });

  it.each([
    ['without If-Match', () => ({})],
    ['with If-Match', (etag: string) => ({ 'if-match': etag })],
  ])('a DELETE %s responds with 204 if the plant is deleted after it has read it', async (_, headersOf) => {
    const caller = newCaller(target());
    const { principal } = caller;
    const { id, path, etag } = await added(caller, { name: 'Fern' });
    runBefore('DeletePlant', 'DeleteItem', () => target().remove([itemKey(principal, id)]));
    expect(await remove(caller, path, headersOf(etag))).toMatchObject({ status: 204 });
  });

  it('a PATCH responds with 404 and adds nothing if the plant is deleted after it has read it', async () => {
    const caller = newCaller(target());
    const plant = await added(caller, { name: 'Fern' });
    runBefore('ChangePlant', 'UpdateItem', () => remove(caller, plant.path));
    expect(await patch(caller, plant, { name: 'Rose' })).toMatchObject({
      status: 404,
      body: { error: 1005 },
    });
    expect((await caller.get('/plants')).body).toEqual([]);
  });

  it('each request takes the actions on the table that its costs are calculated from', async () => {
    const caller = newCaller(target());
    const key = { 'idempotency-key': crypto.randomUUID() };
    let actions: string[] = [];
    guard().intercept((_, action, forward) => {
      actions.push(action.replace('dynamodb:', ''));
      return forward();
    });
    const actionsOf = async (send: () => Promise<unknown>): Promise<readonly string[]> => {
      actions = [];
      await send();
      return actions;
    };
    const plain = await added(caller, { name: 'Rose' });
    expect(await actionsOf(() => post(caller, { name: 'Fern' }))).toEqual(['PutItem']);
    expect(await actionsOf(() => post(caller, { name: 'Fern' }, key))).toEqual([
      'PutItem',
      'PutItem',
      'UpdateItem',
    ]);
    expect(await actionsOf(() => post(caller, { name: 'Fern' }, key))).toEqual(['PutItem', 'GetItem']);
    expect(await actionsOf(() => caller.get(plain.path))).toEqual(['GetItem']);
    expect(await actionsOf(() => patch(caller, plain, { tag: 'x' }))).toEqual(['GetItem', 'UpdateItem']);
    expect(await actionsOf(() => remove(caller, plain.path))).toEqual(['GetItem', 'DeleteItem']);
    const keyed = plantIn(await post(caller, { name: 'Fern' }, key), 201);
    expect(await actionsOf(() => remove(caller, keyed.path))).toEqual([
      'GetItem',
      'UpdateItem',
      'DeleteItem',
    ]);
  });
};
