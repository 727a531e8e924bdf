import { describe, expect, it } from 'vitest';
import { catalogue, ServiceError } from '../../../functions/list-plants/errors.ts';
import { type ListQuery, listPlants, type Page } from '../../../functions/list-plants/list-plants.ts';
import type { PlantStore } from '../../../functions/list-plants/plant-store.ts';
import { hangingPlantStore, memoryPlantStore, watched } from '../../support/memory-plant-store.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { storedPlant } from '../../support/stored-plants.ts';

const all: ListQuery = { principals: ['user#alice', 'group#gardeners'], maxBytes: Infinity };
const table = {
  'user#alice': [{ sortKey: 'a' }, storedPlant('aloe'), { sortKey: 'b' }, storedPlant('rose', '1', 'flower')],
  'group#gardeners': [{ sortKey: 'c' }, storedPlant('fern'), storedPlant('rose', '2')],
};

const list = (store: PlantStore, query: Partial<ListQuery> = {}, log = recordingLog()): Promise<Page> =>
  listPlants({ store, log }, { ...all, ...query }, new AbortController().signal);

const names = ({ plants }: Page): readonly string[] => plants.map(({ name }) => name);

describe('a list', () => {
  it('with limit 0 is empty, without a read', async () => {
    const store = watched(memoryPlantStore(table));
    expect(await list(store, { limit: 0 })).toEqual({ plants: [] });
    expect(store.reads).toEqual([]);
  });

  it('reads one plant more than the page shows from each principal, to know whether another page follows', async () => {
    const store = watched(memoryPlantStore(table));
    await list(store, { limit: 3 });
    expect(store.reads.slice(0, 2).map(({ query: { limit } }) => limit)).toEqual([4, 4]);
  });

  it('that is too large is rejected as soon as its size exceeds the limit', async () => {
    const plants = Array.from({ length: 20 }, (_, index) => storedPlant(String(index), '1', 'x'.repeat(900)));
    const store = watched(memoryPlantStore({ 'user#alice': plants }, 1));
    const tooLarge = new ServiceError(catalogue.resultTooLarge);
    await expect(list(store, { principals: ['user#alice'], maxBytes: 4500 })).rejects.toThrow(tooLarge);
    expect(store.reads).toHaveLength(5);
  });

  it.each([1, 2, 1000])(
    'leaves out damaged items, and counts them in one log entry, in pages of %i',
    async (size) => {
      const log = recordingLog();
      const store = memoryPlantStore(table, size);
      expect(names(await list(store, {}, log))).toEqual(['aloe', 'fern', 'rose', 'rose']);
      expect(log.entries).toEqual([['error', { event: 'damaged-items', count: 3 }]]);
      await expect(list(store, { maxBytes: 1 }, log)).rejects.toThrow(ServiceError);
      expect(log.entries).toHaveLength(2);
    },
  );
});

describe('pending reads', () => {
  it('are aborted when another read fails, with which the list fails', async () => {
    const ended: string[] = [];
    const hanging = hangingPlantStore((principal) => ended.push(principal));
    const failure = new ServiceError(catalogue.storeUnavailable);
    const store: PlantStore = {
      readPlants: (query, signal) =>
        query.principal === 'user#alice' ? Promise.reject(failure) : hanging.readPlants(query, signal),
    };
    await expect(list(store)).rejects.toBe(failure);
    expect(ended).toEqual(['group#gardeners']);
  });
});
