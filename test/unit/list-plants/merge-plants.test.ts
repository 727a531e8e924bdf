import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue, ServiceError } from '../../../functions/list-plants/errors.ts';
import { type Chunk, mergePlants, type MergeQuery } from '../../../functions/list-plants/merge-plants.ts';
import type { PlantStore } from '../../../functions/list-plants/plant-store.ts';
import { grants, principals } from '../../support/arbitrary-table.ts';
import { compareBytes, memoryPlantStore, watched } from '../../support/memory-plant-store.ts';
import { storedPlant } from '../../support/stored-plants.ts';

const { signal } = new AbortController();

const merge = async (store: PlantStore, query: MergeQuery): Promise<Pick<Chunk, 'plants' | 'damaged'>> => {
  const chunks: Chunk[] = [];
  for await (const chunk of mergePlants(store, query, signal)) {
    chunks.push(chunk);
    if (chunks.length > 5000) throw new Error('The list does not end.');
  }
  return {
    plants: chunks.flatMap(({ plants }) => plants),
    damaged: chunks.reduce((sum, { damaged }) => sum + damaged, 0),
  };
};

const names = ({ plants }: Pick<Chunk, 'plants'>): readonly string[] =>
  plants.map(({ plant: { name } }) => name);

describe('the merged list', () => {
  it('is empty when nothing was granted', async () => {
    expect(await merge(memoryPlantStore({}), { principals })).toEqual({ plants: [], damaged: 0 });
  });

  it('interleaves the plants of all principals', async () => {
    const store = memoryPlantStore({
      'user#alice': [storedPlant('aloe'), storedPlant('rose')],
      'group#buyers': [storedPlant('fern'), storedPlant('zinnia')],
    });
    expect(names(await merge(store, { principals }))).toEqual(['aloe', 'fern', 'rose', 'zinnia']);
  });

  it('waits for the first plants of every principal, in whatever order they arrive', async () => {
    const table = {
      'group#sellers': [storedPlant('Birch'), storedPlant('Cedar')],
      'user#alice': [storedPlant('Zinnia')],
      'group#buyers': [storedPlant('Aloe')],
    };
    const arrivals: readonly string[] = Object.keys(table);
    const inner = memoryPlantStore(table, 1);
    const store: PlantStore = {
      readPlants: async (query, readSignal) => {
        const turns = query.after === undefined ? arrivals.indexOf(query.principal) : arrivals.length;
        for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        return inner.readPlants(query, readSignal);
      },
    };
    const merged = await merge(store, { principals: ['user#alice', 'group#buyers', 'group#sellers'] });
    expect(names(merged)).toEqual(['Aloe', 'Birch', 'Cedar', 'Zinnia']);
  });

  it('contains a plant of two principals once, and two plants of one name twice', async () => {
    const store = memoryPlantStore({
      'user#alice': [storedPlant('fern', '1'), storedPlant('rose', '1')],
      'group#buyers': [storedPlant('fern', '1'), storedPlant('rose', '2')],
    });
    expect(names(await merge(store, { principals }))).toEqual(['fern', 'rose', 'rose']);
  });

  it('continues after a page of damaged items', async () => {
    const store = memoryPlantStore(
      { 'user#alice': [{ sortKey: 'a' }, { sortKey: 'b' }, storedPlant('fern')] },
      1,
    );
    const merged = await merge(store, { principals });
    expect([names(merged), merged.damaged]).toEqual([['fern'], 2]);
  });

  it('takes few reads to pass many damaged items', async () => {
    const damaged = Array.from({ length: 1000 }, (_, index) => ({ sortKey: `a${String(index)}` }));
    const store = watched(memoryPlantStore({ 'user#alice': [...damaged, storedPlant('fern')] }));
    const merged = await merge(store, { principals: ['user#alice'], wanted: 2 });
    expect([names(merged), merged.damaged]).toEqual([['fern'], 1000]);
    expect(store.reads.length).toBeLessThan(15);
  });

  it('reads all principals concurrently', async () => {
    const inner = memoryPlantStore({ 'user#alice': [storedPlant('fern')] });
    let waiting: (() => void)[] = [];
    // Returns no page before all reads have started.
    const store: PlantStore = {
      readPlants: async (query, readSignal) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < principals.length) return;
          for (const proceed of waiting) proceed();
          waiting = [];
        });
        return inner.readPlants(query, readSignal);
      },
    };
    expect(names(await merge(store, { principals }))).toEqual(['fern']);
  });

  it('reads no more items than are still missing', async () => {
    const store = watched(
      memoryPlantStore({ 'user#alice': ['a', 'b', 'c', 'd', 'e'].map((name) => storedPlant(name)) }, 2),
    );
    await merge(store, { principals: ['user#alice'], wanted: 3 });
    expect(store.reads.map(({ query: { limit } }) => limit)).toEqual([3, 1]);
  });

  it('reads nothing twice, and stops at the end of each principal', async () => {
    const store = watched(
      memoryPlantStore(
        {
          'user#alice': ['a', 'b', 'c', 'd'].map((name) => storedPlant(name)),
          'group#buyers': [storedPlant('z')],
        },
        2,
      ),
    );
    await merge(store, { principals: ['user#alice', 'group#buyers'] });
    const reads = store.reads.map(({ query: { principal, after } }) => `${principal} ${after ?? ''}`);
    expect(new Set(reads).size).toBe(reads.length);
    expect(reads.filter((read) => read.startsWith('group#buyers'))).toHaveLength(1);
  });

  it('fails with the store’s error', async () => {
    const failure = new ServiceError(catalogue.storeUnavailable);
    const store = { readPlants: () => Promise.reject(failure) };
    await expect(merge(store, { principals })).rejects.toBe(failure);
  });

  const pageSize = fc.integer({ min: 1, max: 5 });

  it('is the union of all principals’ plants in byte order, each once, without damaged items', async () => {
    await fc.assert(
      fc.asyncProperty(grants, fc.subarray([...principals]), pageSize, async ({ table }, readers, size) => {
        const items = readers.flatMap((principal) => table[principal] ?? []);
        const union = new Map(items.flatMap((item) => ('plant' in item ? [[item.sortKey, item]] : [])));
        const damaged = items.filter((item) => !('plant' in item));
        expect(await merge(memoryPlantStore(table, size), { principals: readers })).toEqual({
          plants: [...union.values()].sort((a, b) => compareBytes(a.sortKey, b.sortKey)),
          damaged: damaged.length,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('from any position, and with any number of plants, is that part of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(grants, pageSize, fc.nat(), fc.nat(10), async ({ table }, size, seed, wanted) => {
        const store = memoryPlantStore(table, size);
        const { plants: all } = await merge(store, { principals });
        const start = seed % (all.length + 1);
        const after = all[start - 1]?.sortKey;
        const { plants } = await merge(store, { principals, after, wanted: wanted + 1 });
        const enough = all.slice(start, start + wanted + 1);
        expect(plants.slice(0, enough.length)).toEqual(enough);
        expect(all.slice(start, start + plants.length)).toEqual(plants);
      }),
      { numRuns: 300 },
    );
  });

  it('yields plants only in byte order', async () => {
    await fc.assert(
      fc.asyncProperty(grants, pageSize, async ({ table }, size) => {
        let last = '';
        for await (const { plants } of mergePlants(memoryPlantStore(table, size), { principals }, signal)) {
          for (const { sortKey } of plants) {
            expect(compareBytes(last, sortKey)).toBe(-1);
            last = sortKey;
          }
        }
      }),
    );
  });
});
