import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { listPlants, type Page } from '../../../functions/plant-store/list-plants.ts';
import type { PlantPage, PlantStore } from '../../../functions/plant-store/plant-store.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { principalOf } from '../../../table/principal.ts';
import type { SortKey } from '../../../table/sort-key.ts';
import {
  compareBytes,
  hangingPlantStore,
  memoryPlantStore,
  type TableItem,
  watched,
} from '../../support/table/memory-plant-store.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { sortKeyOf, storedPlant } from '../../support/table/stored-plants.ts';

const { signal } = new AbortController();
const { resultTooLarge: tooLarge } = catalogue;

/** Copies of few plants, with tags of different lengths and more bytes than letters. */
const plants = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('A', 'b', '水'.repeat(99), '\uffff', '\u{1f33f}'), fc.constantFrom('1', '2'))
    .chain(([name, id]) =>
      fc
        .option(fc.string({ unit: fc.constantFrom('x', '水'), maxLength: 100 }), { nil: undefined })
        .map((tag) => storedPlant(name, id, tag)),
    ),
  { selector: ({ sortKey }) => sortKey },
);

interface Case {
  readonly tables: readonly (readonly StoredPlant[])[];
  readonly limit: number;
  readonly after?: SortKey | undefined;
  readonly maxBytes: number;
}

/** Of name, tag and JSON. */
const mostPlantBytes = 300 + 300 + 30;

const cases: fc.Arbitrary<Case & { readonly pageSize: number }> = fc
  .integer({ min: 1, max: 2 })
  .chain((pageSize) =>
    fc.record({
      tables: fc.array(plants, { minLength: 1, maxLength: 12 }),
      // From about 50 on, no response can hold as many.
      limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 40, max: 300 })),
      // The position of another page, whose plant the table may not have any more.
      after: fc.option(fc.constantFrom(...['A', 'b', '\uffff'].map((name) => sortKeyOf(name))), {
        nil: undefined,
      }),
      // A page is smaller than a response.
      maxBytes: fc.integer({ min: pageSize * mostPlantBytes, max: 2 * pageSize * mostPlantBytes }),
      pageSize: fc.constant(pageSize),
    }),
  );

type Outcome = Page | { readonly error: string };

/**
 * The contract in a few lines: all plants at once, the first principal's copies, cut to position and limit,
 * measured.
 */
const expected = ({ tables, limit, after, maxBytes }: Case): Outcome => {
  const copies = new Map<SortKey, StoredPlant>();
  for (const stored of tables.flat()) if (!copies.has(stored.sortKey)) copies.set(stored.sortKey, stored);
  const all = [...copies.values()]
    .filter(({ sortKey }) => after === undefined || compareBytes(sortKey, after) > 0)
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey));
  const page = all.slice(0, limit);
  const listed = page.map(({ plant }) => plant);
  // Counted with a comma for each plant and without brackets.
  const separators = 1;
  if (Buffer.byteLength(JSON.stringify(listed)) - separators > maxBytes && page.length > 0) {
    return { error: tooLarge.message };
  }
  return { plants: listed, next: all.length > page.length ? page.at(-1)?.sortKey : undefined };
};

/** A store whose responses arrive in the order of a scheduler. */
const scheduled = (scheduler: fc.Scheduler, store: PlantStore): PlantStore => ({
  readPage: async (query, readSignal) => {
    await scheduler.schedule(Promise.resolve());
    return store.readPage(query, readSignal);
  },
});

const principalsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => principalOf('group', String(index)));

describe('a list', () => {
  it('has each plant once, in the copy of the first principal, or is too large, whichever response comes first', async () => {
    const seen = { pages: 0, errors: 0 };
    await fc.assert(
      fc.asyncProperty(cases, fc.scheduler(), async (given, scheduler) => {
        const principals = principalsOf(given.tables.length);
        const table = Object.fromEntries(principals.map((name, index) => [name, given.tables[index] ?? []]));
        const store = watched(scheduled(scheduler, memoryPlantStore(table, given.pageSize)));
        const { limit, after, maxBytes } = given;
        const outcome = listPlants(
          { store, log: recordingLog() },
          { principals, limit, after, maxBytes, tooLarge },
          signal,
        ).catch((error: unknown) => ({ error: error instanceof Error ? error.message : '' }));
        await scheduler.waitFor(outcome);
        expect(await outcome).toEqual(expected(given));
        const positions = store.reads.map(({ query }) => `${query.principal} ${query.after ?? ''}`);
        expect(new Set(positions).size).toBe(positions.length);
        if ('error' in expected(given)) seen.errors += 1;
        else seen.pages += 1;
      }),
      { numRuns: 1000 },
    );
    // The generator must make lists of both kinds.
    expect(Math.min(seen.pages, seen.errors)).toBeGreaterThan(50);
  });
});

/**
 * Which of the numbered plants a principal has: those from the first on, each so many after the one before.
 */
interface Share {
  readonly first: number;
  readonly step: number;
  /** The places of damaged items among them. */
  readonly damaged: readonly number[];
}

interface SharedCase {
  readonly count: number;
  readonly shares: readonly Share[];
  /** How many more or fewer than there are. */
  readonly beyond: number;
  readonly after: number | undefined;
  readonly pageSize: number;
}

const sharedCases: fc.Arbitrary<SharedCase> = fc.integer({ min: 1, max: 12 }).chain((principals) =>
  fc.integer({ min: 1, max: 1500 }).chain((count) =>
    fc.record({
      count: fc.constant(count),
      shares: fc.array(
        fc.record({
          first: fc.integer({ min: 0, max: principals }),
          // All have the same plants, or names that alternate.
          step: fc.constantFrom(1, 1, 2, principals),
          damaged: fc.oneof(
            { weight: 3, arbitrary: fc.constant([]) },
            fc.array(fc.nat(count), { maxLength: 50 }),
          ),
        }),
        { minLength: principals, maxLength: principals },
      ),
      beyond: fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -count, max: 0 })),
      after: fc.option(fc.nat(count), { nil: undefined }),
      pageSize: fc.constantFrom(50, 700, 100_000),
    }),
  ),
);

describe('the reads for a page', () => {
  const numbered = (count: number, each: (index: number) => string): readonly StoredPlant[] =>
    Array.from({ length: count }, (_, index) => storedPlant(each(index)));
  const name = (index: number): string => `plant ${String(index).padStart(6, '0')}`;
  const pool = numbered(2001, name);

  it('are at most four of a principal, and of no more plants than fill the page, except behind a page of 1 MB or damaged items', async () => {
    await fc.assert(
      fc.asyncProperty(sharedCases, fc.scheduler(), async (given, scheduler) => {
        const { count, shares, beyond, pageSize } = given;
        const tables = shares.map(({ first, step }) =>
          pool.slice(0, count).filter((_, index) => index >= first && (index - first) % step === 0),
        );
        const principals = principalsOf(shares.length);
        const table = Object.fromEntries(
          principals.map((principal, rank): [string, readonly TableItem[]] => [
            principal,
            [
              ...(tables[rank] ?? []),
              ...(shares[rank]?.damaged ?? []).map((place) => ({ sortKey: `${name(place)} damaged` })),
            ],
          ]),
        );
        const after = given.after === undefined ? undefined : sortKeyOf(name(given.after));
        const all = expected({ tables, limit: Infinity, after, maxBytes: Infinity });
        const limit = Math.max(1, ('plants' in all ? all.plants.length : 0) + beyond);
        const store = watched(scheduled(scheduler, memoryPlantStore(table, pageSize)));
        const query = { principals, limit, after, maxBytes: Infinity, tooLarge };
        const list = listPlants({ store, log: recordingLog() }, query, signal);
        await scheduler.waitFor(list);
        expect(await list).toEqual(expected({ tables, limit, after, maxBytes: Infinity }));
        for (const principal of principals) {
          const reads = store.reads.filter((read) => read.query.principal === principal);
          const undisturbed = reads.filter(
            ({ query: { limit: most }, page: { plants: found, damaged, next } }) =>
              damaged === 0 && (next === undefined || found.length === most),
          );
          expect(undisturbed.length).toBeLessThanOrEqual(4);
          const total = (each: 'plants' | 'damaged') =>
            reads.reduce((sum, { page }) => sum + (each === 'plants' ? page.plants.length : page.damaged), 0);
          expect(total('plants')).toBeLessThanOrEqual(limit + 1 + total('damaged'));
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    [20, 20],
    [1000, 1000],
    [1000, 999],
    [1000, 1001],
    [1000, 2_000_000],
  ])('of 100 principals who share %i plants are one for each, with limit %i', async (count, limit) => {
    const { plants: page, reads } = await listed(100, () => pool.slice(0, count), {
      pageSize: 7000,
      limit,
    });
    expect(page).toHaveLength(Math.min(count, limit));
    expect(reads.length).toBeLessThanOrEqual(limit < count ? 100 * 4 : 100);
  });

  /** The list of so many principals, and the reads for it. */
  const listed = async (
    count: number,
    plantsOf: (rank: number) => readonly TableItem[],
    { pageSize, limit }: { readonly pageSize?: number; readonly limit: number },
  ) => {
    const principals = principalsOf(count);
    const table = Object.fromEntries(principals.map((each, rank) => [each, plantsOf(rank)]));
    const store = watched(memoryPlantStore(table, pageSize));
    const query = { principals, limit, maxBytes: Infinity, tooLarge };
    const page = await listPlants({ store, log: recordingLog() }, query, signal);
    return { plants: page.plants, reads: store.reads };
  };

  it('of 101 principals with alternating names return few plants that are not on it', async () => {
    const plantsOf = (rank: number) => numbered(300, (index) => name(index * 101 + rank));
    const { plants: page, reads } = await listed(101, plantsOf, { limit: 1000 });
    expect(page).toHaveLength(1000);
    expect(reads.reduce((sum, read) => sum + read.page.plants.length, 0)).toBeLessThan(101 * 150);
  });

  it('ask for the whole page until it is full, then for an eighth, and for twice as many in each further read', async () => {
    // Twelve are read before the page is full, because the first eight have ten plants only.
    const plantsOf = (rank: number) => pool.slice(0, rank < 8 ? 10 : 2001);
    const { reads } = await listed(24, plantsOf, { pageSize: 3000, limit: 2000 });
    const limits = principalsOf(24).map((principal) =>
      reads.flatMap(({ query }) => (query.principal === principal ? [query.limit] : [])),
    );
    expect(limits).toEqual(principalsOf(24).map((_, rank) => (rank < 12 ? [2001] : [251, 502, 1004, 244])));
  });

  it('are few when many damaged items precede the first plant', async () => {
    const damaged = Array.from({ length: 10_000 }, (_, index) => ({ sortKey: `a${name(index)}` }));
    const page = await listed(1, () => [...damaged, storedPlant('z')], { pageSize: 100_000, limit: 1 });
    expect(page.plants).toEqual([{ name: 'z' }]);
    expect(page.reads.length).toBeLessThan(20);
  });

  it('are eight at a time, and others start when half of them have ended', async () => {
    const reads: PromiseWithResolvers<PlantPage>[] = [];
    const readPage = () => {
      const read = Promise.withResolvers<PlantPage>();
      reads.push(read);
      return read.promise;
    };
    const query = { principals: principalsOf(12), limit: 10, maxBytes: 1, tooLarge };
    const list = listPlants({ store: { readPage }, log: recordingLog() }, query, signal);
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

  it('are few while the first principal has not responded and the others exceed a response', async () => {
    const principals = principalsOf(50);
    const plantOf = (rank: number) => [storedPlant(name(rank), '1', 'x'.repeat(500))];
    const table = memoryPlantStore(Object.fromEntries(principals.map((each, rank) => [each, plantOf(rank)])));
    const store = watched({
      readPage: (query, readSignal) =>
        (query.principal === principals[0] ? hangingPlantStore() : table).readPage(query, readSignal),
    });
    const request = new AbortController();
    const list = listPlants(
      { store, log: recordingLog() },
      { principals, limit: 1000, maxBytes: 2000, tooLarge },
      request.signal,
    );
    await new Promise((resolve) => setImmediate(resolve));
    request.abort();
    await expect(list).rejects.toThrow('ended');
    expect(store.reads.length).toBeLessThan(2 * 8);
  });
});
