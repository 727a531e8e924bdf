import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { ServiceError } from '../../../functions/shared/errors.ts';
import { listPlants, type ListQuery, type ListPage } from '../../../functions/plant-store/list-plants.ts';
import type { PlantStore } from '../../../functions/plant-store/plant-store.ts';
import { hangingPlantStore, memoryPlantStore, watched } from '../../support/table/memory-plant-store.ts';
import { principalOf } from '../../../table/principal.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { storedPlant } from '../../support/table/stored-plants.ts';

const principals = ['user#alice', 'group#gardeners'] as const;
const { resultTooLarge: tooLarge } = catalogue;
const all: ListQuery = { principals, limit: 1000, maxBytes: Infinity, tooLarge };
const table = {
  'user#alice': [{ sortKey: 'a' }, storedPlant('aloe'), { sortKey: 'b' }, storedPlant('rose', '1', 'flower')],
  'group#gardeners': [{ sortKey: 'c' }, storedPlant('fern'), storedPlant('rose', '2')],
};

const list = (store: PlantStore, query: Partial<ListQuery> = {}, log = recordingLog()): Promise<ListPage> =>
  listPlants({ store, log }, { ...all, ...query }, new AbortController().signal);

const names = ({ plants }: ListPage): readonly string[] => plants.map(({ name }) => name);

describe('a list', () => {
  it('is empty with limit 0, without a read', async () => {
    const store = watched(memoryPlantStore(table));
    expect(await list(store, { limit: 0 })).toEqual({ plants: [] });
    expect(store.reads).toEqual([]);
  });

  it.each([
    ['one principal, after five reads', 1, 1, 5, Infinity],
    ['101 principals, after 15 reads', 101, 1000, 15, Infinity],
    ['a limit that no response can hold, after 15 reads', 101, 1000, 15, 347],
  ])('is rejected as soon as it certainly exceeds `maxBytes`: %s', async (_, count, size, most, limit) => {
    const many = Array.from({ length: count }, (__, rank) => principalOf('group', String(rank)));
    const plantsOf = (id: string) =>
      Array.from({ length: 20 }, (__, index) => storedPlant(String(index), id, 'x'.repeat(900)));
    const plants = Object.fromEntries(many.map((each) => [each, plantsOf(each)]));
    const store = watched(memoryPlantStore(plants, size));
    const tooLarge = new ServiceError(catalogue.resultTooLarge);
    await expect(list(store, { principals: many, limit, maxBytes: 4500 })).rejects.toThrow(tooLarge);
    expect(store.reads.length).toBeLessThanOrEqual(most);
  });

  it('is rejected as too large also when its copies become final only with the last read', async () => {
    const plants = {
      'user#alice': [storedPlant('b'), storedPlant('c')],
      'group#gardeners': [storedPlant('a', '1', 'x'.repeat(900))],
    };
    const store: PlantStore = {
      read: (query, signal) => {
        const pageSize = query.principal === 'user#alice' ? 1 : 2;
        const given = query.after === undefined ? memoryPlantStore(plants, pageSize) : hangingPlantStore();
        return given.read(query, signal);
      },
    };
    const tooLarge = new ServiceError(catalogue.resultTooLarge);
    await expect(list(store, { limit: 1, maxBytes: 500 })).rejects.toThrow(tooLarge);
  });

  it('is complete when plants of a later read displace the first ones, which were too large', async () => {
    const plants = {
      'user#alice': [storedPlant('rose', '1', 'x'.repeat(900))],
      'group#gardeners': [storedPlant('tulip', '1', 'x'.repeat(900))],
      'group#late': [storedPlant('aloe'), storedPlant('fern')],
    };
    const inMemory = memoryPlantStore(plants);
    const store: PlantStore = {
      read: async (query, signal) => {
        if (query.principal === 'group#late') await setImmediate();
        return inMemory.read(query, signal);
      },
    };
    const query = { principals: [...principals, principalOf('group', 'late')], limit: 2, maxBytes: 500 };
    expect(names(await list(store, query))).toEqual(['aloe', 'fern']);
  });

  it.each([1, 2, 1000])(
    'leaves out damaged items, and counts them in one log entry, with responses of %i items',
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
  it('are aborted when another read fails, and the list fails with its error', async () => {
    const ended: string[] = [];
    const hanging = hangingPlantStore((principal) => ended.push(principal));
    const failure = new ServiceError(catalogue.storeUnavailable);
    const store: PlantStore = {
      read: (query, signal) =>
        query.principal === 'user#alice' ? Promise.reject(failure) : hanging.read(query, signal),
    };
    await expect(list(store)).rejects.toBe(failure);
    expect(ended).toEqual(['group#gardeners']);
  });
});
