import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadResult } from '../../../functions/plant-store/plant-store.ts';
import {
  hangingPlantStore,
  memoryPlantStore,
  type TableItem,
  watched,
} from '../../support/table/memory-plant-store.ts';
import { sortKeyOf, storedPlant } from '../../support/table/stored-plants.ts';
import { expectedPage, firstPrincipals, listOf, scheduledList, tableOf } from './list-model.ts';

const nameOf = (index: number): string => `plant ${String(index).padStart(6, '0')}`;
const numbered = (count: number, first = 0, step = 1) =>
  Array.from({ length: count }, (_, index) => storedPlant(nameOf(first + index * step)));
const pool = numbered(2001);

/** Lists a table in which each principal has the items of its rank; also returns the reads. */
const listed = async (count: number, itemsOf: (rank: number) => readonly TableItem[], limit: number) => {
  const items = Array.from({ length: count }, (_, rank) => itemsOf(rank));
  const store = watched(memoryPlantStore(tableOf(items), 10_000));
  const { plants } = await listOf(store, count, { limit });
  return { plants, reads: store.reads };
};

/** Which of the numbered plants a principal has: every `step`th from `first` on. */
const share = (principals: number, count: number) =>
  fc.record({
    first: fc.integer({ min: 0, max: principals }),
    // All have the same plants, or names that alternate.
    step: fc.constantFrom(1, 1, 2, principals),
    /** The places of damaged items among them. */
    damaged: fc.option(fc.array(fc.nat(count), { maxLength: 50 }), { nil: undefined, freq: 1 }),
  });

const cases = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1500 }))
  .chain(([principals, count]) =>
    fc.record({
      count: fc.constant(count),
      shares: fc.array(share(principals, count), { minLength: principals, maxLength: principals }),
      /** The limit's difference from the number of plants. */
      beyond: fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -count, max: 0 })),
      after: fc.option(
        fc.nat(count).map((index) => sortKeyOf(nameOf(index))),
        { nil: undefined },
      ),
      pageSize: fc.constantFrom(50, 700, 100_000),
    }),
  );

describe('the reads for a list page', () => {
  it('are at most four per principal, unless a response ends at 1 MB or has damaged items', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.scheduler(), async (given, scheduler) => {
        const { count, shares, beyond, after, pageSize } = given;
        const tables = shares.map(({ first, step }) =>
          pool.slice(0, count).filter((_, index) => index >= first && (index - first) % step === 0),
        );
        const items = shares.map(({ damaged = [] }, rank): readonly TableItem[] => [
          ...(tables[rank] ?? []),
          ...damaged.map((place) => ({ sortKey: `${nameOf(place)} damaged` })),
        ]);
        const limit = Math.max(1, expectedPage(tables, Infinity, after).plants.length + beyond);
        const { outcome, reads } = await scheduledList(scheduler, items, pageSize, { limit, after });
        expect(outcome).toEqual(expectedPage(tables, limit, after));
        for (const principal of firstPrincipals(shares.length)) {
          const own = reads.filter(({ query }) => query.principal === principal);
          const undisturbed = own.filter(
            ({ query, result: { plants, damaged, next } }) =>
              damaged === 0 && (next === undefined || plants.length === query.limit),
          );
          expect(undisturbed.length).toBeLessThanOrEqual(4);
          const damaged = own.reduce((sum, { result }) => sum + result.damaged, 0);
          const read = own.reduce((sum, { result }) => sum + result.plants.length, 0);
          expect(read).toBeLessThanOrEqual(limit + 1 + damaged);
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each([1000, 1001, 2_000_000])(
    'are one per principal when 100 principals share 1,000 plants, with limit %i',
    async (limit) => {
      const { plants, reads } = await listed(100, () => pool.slice(0, 1000), limit);
      expect([plants.length, reads.length]).toEqual([1000, 100]);
    },
  );

  it('return less than half of the plants when 101 principals have alternating names', async () => {
    const { plants, reads } = await listed(101, (rank) => numbered(300, rank, 101), 1000);
    expect(plants).toHaveLength(1000);
    expect(reads.reduce((sum, { result }) => sum + result.plants.length, 0)).toBeLessThan(101 * 150);
  });

  it('have the whole limit until the list page is full, then an eighth, doubled by each read', async () => {
    // Twelve principals are read before the list page is full: the first eight have only ten plants.
    const { reads } = await listed(24, (rank) => (rank < 8 ? pool.slice(0, 10) : pool), 2000);
    const limits = firstPrincipals(24).map((principal) =>
      reads.flatMap(({ query }) => (query.principal === principal ? [query.limit] : [])),
    );
    expect(limits).toEqual(limits.map((_, rank) => (rank < 12 ? [2001] : [251, 502, 1004, 244])));
  });

  it('are few when many damaged items precede the first plant', async () => {
    const damaged = Array.from({ length: 10_000 }, (_, index) => ({ sortKey: `a${nameOf(index)}` }));
    const { plants, reads } = await listed(1, () => [...damaged, storedPlant('z')], 1);
    expect(plants).toEqual([{ name: 'z' }]);
    expect(reads.length).toBeLessThan(20);
  });

  it('are eight at a time, and others start when half of them have ended', async () => {
    const reads: PromiseWithResolvers<ReadResult>[] = [];
    const startRead = () => {
      const read = Promise.withResolvers<ReadResult>();
      reads.push(read);
      return read.promise;
    };
    const list = listOf({ read: startRead }, 12, { limit: 10, maxBytes: 1 });
    const end = (...read: readonly number[]) => {
      for (const each of read) reads[each]?.resolve({ plants: [], damaged: 0 });
      return new Promise((resolve) => setImmediate(resolve));
    };
    await end(0, 1, 2);
    expect(reads).toHaveLength(8);
    await end(3);
    expect(reads).toHaveLength(12);
    await end(...reads.keys());
    expect((await list).plants).toEqual([]);
  });

  it('are few while the first principal’s read is pending and the others exceed a response', async () => {
    const [first] = firstPrincipals(1);
    const inMemory = memoryPlantStore(
      tableOf(pool.slice(0, 50).map(({ plant: { name } }) => [storedPlant(name, '1', 'x'.repeat(500))])),
    );
    const store = watched({
      read: (query, signal) =>
        (query.principal === first ? hangingPlantStore() : inMemory).read(query, signal),
    });
    const request = new AbortController();
    const list = listOf(store, 50, { maxBytes: 2000 }, request.signal);
    await new Promise((resolve) => setImmediate(resolve));
    request.abort();
    await expect(list).rejects.toThrow('ended');
    expect(store.reads.length).toBeLessThan(2 * 8);
  });
});
