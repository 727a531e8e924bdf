import { expect, it } from 'vitest';
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
   */
  const repeatWhileDeleted = async (caller: Caller) => {
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
};
