import { describe, expect, it } from 'vitest';
import { catalogue, pageTooLarge, ServiceError } from '../../../functions/list-plants/errors.ts';
import { type ListQuery, listPlants } from '../../../functions/list-plants/list-plants.ts';
import type { PlantStore } from '../../../functions/list-plants/plant-store.ts';
import { hangingPlantStore, memoryPlantStore, watched } from '../../support/memory-plant-store.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { type ParsedPage, parsedPage } from '../../support/parsed-page.ts';
import { principalOf } from '../../../table/principal.ts';
import { sortKeyOf, storedPlant } from '../../support/stored-plants.ts';

const all: ListQuery = { principals: ['user#alice', 'group#gardeners'], maxBytes: Infinity };
const { signal } = new AbortController();
const fourPlants = {
  'user#alice': [storedPlant('aloe'), storedPlant('rose', '1', 'flower')],
  'group#gardeners': [storedPlant('fern'), storedPlant('rose', '1', 'flower'), storedPlant('rose', '2')],
};

const list = async (
  store: PlantStore,
  query: Partial<ListQuery> = {},
  log = recordingLog(),
): Promise<ParsedPage> => parsedPage(await listPlants({ store, log }, { ...all, ...query }, signal));

const names = ({ plants }: ParsedPage): readonly string[] => plants.map(({ name }) => name);

describe('the list of plants', () => {
  it('contains name and tag of all plants of all principals, without a next page', async () => {
    expect(await list(memoryPlantStore(fourPlants))).toEqual({
      plants: [{ name: 'aloe' }, { name: 'fern' }, { name: 'rose', tag: 'flower' }, { name: 'rose' }],
    });
  });

  it('has no next page without a limit, however many reads it takes', async () => {
    const page = await list(memoryPlantStore(fourPlants, 1));
    expect([names(page).length, page.next]).toEqual([4, undefined]);
  });

  it.each([
    [1, ['aloe'], 'aloe'],
    [2, ['aloe', 'fern'], 'fern'],
    [3, ['aloe', 'fern', 'rose'], 'rose'],
  ])('with limit %i continues from the last plant shown', async (limit, shown, last) => {
    for (const pageSize of [1, 2, 1000]) {
      const page = await list(memoryPlantStore(fourPlants, pageSize), { limit });
      expect([names(page), page.next]).toEqual([shown, sortKeyOf(last)]);
    }
  });

  it.each([4, 5, 2_147_483_647])(
    'with limit %i has no next page, because no plant follows',
    async (limit) => {
      for (const pageSize of [1, 4, 1000]) {
        const page = await list(memoryPlantStore(fourPlants, pageSize), { limit });
        expect([names(page).length, page.next]).toEqual([4, undefined]);
      }
    },
  );

  it('has no next page when only damaged items follow', async () => {
    const store = memoryPlantStore({ 'user#alice': [storedPlant('aloe'), { sortKey: 'b' }] }, 1);
    expect(await list(store, { limit: 1 })).toEqual({ plants: [{ name: 'aloe' }] });
  });

  it('continues after a position, even when its plant was deleted', async () => {
    const store = memoryPlantStore(fourPlants);
    expect(names(await list(store, { after: sortKeyOf('fern') }))).toEqual(['rose', 'rose']);
    expect(names(await list(store, { after: sortKeyOf('gone') }))).toEqual(['rose', 'rose']);
    expect(names(await list(store, { after: sortKeyOf('rose', '1') }))).toEqual(['rose']);
    expect(names(await list(store, { after: sortKeyOf('zinnia') }))).toEqual([]);
  });

  it('with limit 0 is empty, without a read', async () => {
    const store = watched(memoryPlantStore(fourPlants));
    expect(await list(store, { limit: 0 })).toEqual({ plants: [] });
    expect(store.reads).toEqual([]);
  });

  it('reads one plant more than the page shows from each principal, to know whether another page follows', async () => {
    const store = watched(memoryPlantStore(fourPlants));
    await list(store, { limit: 2 });
    expect(store.reads.map(({ query: { principal, limit } }) => [principal, limit])).toEqual([
      ['user#alice', 3],
      ['group#gardeners', 3],
    ]);
  });

  it('fails with the store’s error', async () => {
    const failure = new ServiceError(catalogue.storeUnavailable);
    await expect(list({ readPlants: () => Promise.reject(failure) })).rejects.toBe(failure);
  });
});

describe('pending reads', () => {
  it('are aborted when another read fails', async () => {
    const ended: string[] = [];
    const hanging = hangingPlantStore((principal) => ended.push(principal));
    const store: PlantStore = {
      readPlants: (query, readSignal) =>
        query.principal === 'user#alice'
          ? Promise.reject(new Error('broken'))
          : hanging.readPlants(query, readSignal),
    };
    await expect(list(store)).rejects.toThrow('broken');
    expect(ended).toEqual(['group#gardeners']);
  });

  it('are aborted with the request', async () => {
    const request = new AbortController();
    const page = listPlants({ store: hangingPlantStore(), log: recordingLog() }, all, request.signal);
    request.abort();
    await expect(page).rejects.toThrow('ended');
  });
});

describe('a list that is too large for a response', () => {
  const tooLarge = new ServiceError(catalogue.resultTooLarge);
  const plants = Array.from({ length: 20 }, (_, index) =>
    storedPlant(`plant ${String(index)}`, '1', 'x'.repeat(1000)),
  );

  it('is rejected as soon as its size exceeds the limit', async () => {
    const store = watched(memoryPlantStore({ 'user#alice': plants }, 1));
    await expect(list(store, { principals: ['user#alice'], maxBytes: 5000 })).rejects.toThrow(tooLarge);
    expect(store.reads).toHaveLength(5);
  });

  it('is not rejected when it fits exactly', async () => {
    const store = memoryPlantStore({ 'user#alice': plants });
    const text = JSON.stringify((await list(store)).plants);
    expect((await list(store, { maxBytes: Buffer.byteLength(text) })).plants).toHaveLength(20);
  });

  it('is measured in bytes, not in characters', async () => {
    const store = memoryPlantStore({ 'user#alice': [storedPlant('水'.repeat(200))] });
    await expect(list(store, { maxBytes: 500 })).rejects.toThrow(tooLarge);
  });

  it('is not rejected when it fits because a plant of two principals counts once', async () => {
    const fern = [storedPlant('fern')];
    const store = memoryPlantStore({ 'user#alice': fern, 'group#gardeners': fern });
    const maxBytes = 2 * '{"name":"fern"},'.length;
    expect(names(await list(store, { maxBytes }))).toEqual(['fern']);
  });

  it('is rejected when the plants of one page are too large', async () => {
    const store = memoryPlantStore({ 'user#alice': plants });
    await expect(list(store, { maxBytes: 2000, limit: 4 })).rejects.toThrow(new ServiceError(pageTooLarge));
  });

  it('is rejected before the principals are read whose plants cannot make it smaller', async () => {
    const principals = Array.from({ length: 101 }, (_, index) => principalOf('group', String(index)));
    const table = Object.fromEntries(
      principals.map((principal) => [
        principal,
        plants.map(({ plant }) => storedPlant(plant.name, principal)),
      ]),
    );
    const store = watched(memoryPlantStore(table));
    await expect(list(store, { principals, maxBytes: 2000 })).rejects.toThrow(tooLarge);
    expect(store.reads.length).toBeLessThan(2 * 8);
  });

  it('can be read with a limit', async () => {
    const store = memoryPlantStore({ 'user#alice': plants });
    expect((await list(store, { maxBytes: 5000, limit: 4 })).plants).toHaveLength(4);
  });
});

describe('damaged items', () => {
  const table = {
    'user#alice': [{ sortKey: 'a' }, storedPlant('aloe'), { sortKey: 'b' }],
    'group#gardeners': [{ sortKey: 'c' }, storedPlant('fern')],
  };

  it.each([1, 2, 1000])(
    'are left out, and counted in one log entry, with pages of %i items',
    async (pageSize) => {
      const log = recordingLog();
      const store = memoryPlantStore(table, pageSize);
      const page = await list(store, {}, log);
      expect(names(page)).toEqual(['aloe', 'fern']);
      expect(log.entries).toEqual([['error', { event: 'damaged-items', count: 3 }]]);
    },
  );

  it('do not count as plants on a page', async () => {
    const page = await list(memoryPlantStore(table), { limit: 1 });
    expect([names(page), page.next]).toEqual([['aloe'], sortKeyOf('aloe')]);
  });

  it('are also counted when the list fails', async () => {
    const log = recordingLog();
    const store = memoryPlantStore(table);
    await expect(listPlants({ store, log }, { ...all, maxBytes: 1 }, signal)).rejects.toThrow(ServiceError);
    expect(log.entries).toEqual([['error', { event: 'damaged-items', count: 3 }]]);
  });

  it('are not logged when there are none', async () => {
    const log = recordingLog();
    await listPlants({ store: memoryPlantStore(fourPlants), log }, all, signal);
    expect(log.entries).toEqual([]);
  });
});
