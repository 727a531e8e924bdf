import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grantReads } from '../../../functions/list-plants/read-budget.ts';
import { mergePlants } from '../../../functions/list-plants/merge-plants.ts';
import type { PlantStore } from '../../../functions/list-plants/plant-store.ts';
import { type LargeRead, largePlantStore, type LargeTable } from '../../support/large-plant-store.ts';
import type { Principal } from '../../../table/principal.ts';

const mebibyte = 1024 * 1024;
const { signal } = new AbortController();
const principalsNamed = (count: number): readonly Principal[] =>
  Array.from({ length: count }, (_, index): Principal => `group#${String(index)}`);

interface Merged {
  readonly reads: readonly LargeRead[];
  readonly plants: number;
  /** The most bytes that reads in progress could return and that were read but not merged. */
  readonly mostBytes: number;
}

const merge = async (table: LargeTable): Promise<Merged> => {
  const store = largePlantStore(table);
  const copies = table.names === 'identical' ? table.principals.length : 1;
  let plants = 0;
  let mostBytes = 0;
  const { principals } = table;
  for await (const chunk of mergePlants(store, { principals }, signal)) {
    plants += chunk.plants.length;
    const held = store.readBytes() - plants * copies * store.itemBytes;
    mostBytes = Math.max(mostBytes, held + store.requestedBytes());
  }
  return { reads: store.reads, plants, mostBytes };
};

const names = fc.constantFrom<LargeTable['names']>('disjoint', 'alternating', 'identical');

describe('the plants of many principals', () => {
  it('are all read, with at most 4 MB requested and held and at most 16 reads at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.integer({ min: 1, max: 101 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 0, max: 900 }),
        async (order, count, total, tagLength) => {
          const plants = Math.ceil(total / count);
          const table = { principals: principalsNamed(count), plants, tagLength, names: order };
          const { reads, mostBytes, ...merged } = await merge(table);
          expect(merged.plants).toBe(order === 'identical' ? plants : plants * count);
          expect(mostBytes).toBeLessThanOrEqual(4 * mebibyte);
          expect(Math.max(...reads.map(({ concurrent }) => concurrent))).toBeLessThanOrEqual(16);
        },
      ),
      { numRuns: 40 },
    );
  });

  const large = { principals: principalsNamed(50), plants: 1000, tagLength: 200 };

  it('are read many at a time where names alternate', async () => {
    const { reads } = await merge({ ...large, names: 'alternating' });
    const alone = reads.filter(({ concurrent }) => concurrent === 1);
    expect(reads.length).toBeGreaterThan(200);
    expect(alone.length).toBeLessThan(reads.length / 10);
  });

  it('are read in whole pages where one principal’s names follow another’s', async () => {
    const { reads } = await merge({ ...large, names: 'disjoint' });
    // Each principal's first reads are small, because its turn may come late.
    expect(reads.length).toBeLessThan(4 * large.principals.length);
  });

  it('are read without a limit for up to four principals', async () => {
    for (const count of [1, 2, 3, 4]) {
      const { reads } = await merge({ ...large, principals: principalsNamed(count), names: 'alternating' });
      expect(reads.map(({ limit }) => limit)).toEqual(Array.from({ length: count }));
    }
  });

  it('are read in one round when they are few', async () => {
    const { reads } = await merge({ ...large, plants: 20, names: 'alternating' });
    expect(reads).toHaveLength(large.principals.length);
  });
});

describe('plants that are larger than those before them', () => {
  it('are read a few at a time', async () => {
    const principals = principalsNamed(50);
    const store = largePlantStore({ principals, plants: 1000, tagLength: 0, names: 'alternating' });
    const tag = 'x'.repeat(5000);
    const lengths: number[] = [];
    const withTags: PlantStore = {
      readPlants: async (query, readSignal) => {
        const page = await store.readPlants(query, readSignal);
        if (query.after === undefined) return page;
        lengths.push(page.plants.length);
        return { ...page, plants: page.plants.map((each) => ({ ...each, plant: { ...each.plant, tag } })) };
      },
    };
    for await (const { damaged } of mergePlants(withTags, { principals }, signal)) expect(damaged).toBe(0);
    // An equal part of 3 MB holds 12. Only reads that were in progress when the first ended returned more.
    expect(lengths.filter((length) => length > 12).length).toBeLessThanOrEqual(16);
    expect(lengths.length).toBeGreaterThan(50);
  });
});

describe('more than the budget, because plants are larger than was known', () => {
  const reader = (held: number, requested = 0) => ({ finished: false, held, requested });
  const over = Array.from({ length: 5 }, () => reader(mebibyte));

  it('is followed by one read at a time', () => {
    const readers = [...over, reader(0), reader(0)];
    expect(grantReads(readers, () => true)).toHaveLength(1);
    expect(grantReads([...readers, reader(0, 1000)], () => true)).toEqual([]);
  });
});
