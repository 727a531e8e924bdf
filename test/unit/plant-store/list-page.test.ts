import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListPage } from '../../../functions/plant-store/first-plants.ts';
import { type ListQuery, ListTooLarge, readListPage } from '../../../functions/plant-store/list-page.ts';
import {
  type PlantQuery,
  type PlantStore,
  type ReadResult,
  StoreUnavailable,
} from '../../../functions/plant-store/plant-store.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { type Principal, principalOf } from '../../../table/principal.ts';
import { recordingLog } from '../../support/recording-log.ts';
import {
  compareBytes,
  hangingPlantStore,
  memoryPlantStore,
  type TableItem,
  recordingStore,
} from '../../support/table/memory-plant-store.ts';
import { responseLength, sortKeyOf, storedPlant } from '../../support/table/plants.ts';

const tooLarge = new ListTooLarge();

const principalsOf = (count: number): readonly Principal[] =>
  Array.from({ length: count }, (_, rank) => principalOf('group', String(rank)));

/** Lists the plants of this many principals. */
const listOf = (
  store: PlantStore,
  principals: number,
  query: Partial<ListQuery>,
  log = recordingLog(),
): Promise<ListPage> => {
  const all = { limit: 1000, maxBytes: Infinity };
  const given = { principals: principalsOf(principals), ...all, ...query };
  return readListPage({ store, log }, given, new AbortController().signal);
};

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

/** Names whose order by UTF-8 differs from their order by UTF-16, some of them equal. */
const nameOf = (index: number): string =>
  `${['A', 'b', '水', '\uffff', '\u{1f33f}'][index % 5] ?? ''}${String(index >> 3).padStart(3, '0')}`;

/** The most bytes of a generated plant, whose name has up to 5 UTF-16 units, and whose tag has up to 100. */
const mostPlantBytes = responseLength(storedPlant('x'.repeat(5), '300', 'x'.repeat(100)).plant);

/** The items of a principal: every `step`th plant from number `first` on, and damaged items among them. */
const principalItems = fc.record({
  first: fc.nat(12),
  step: fc.constantFrom(1, 1, 2, 12),
  damaged: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(300), { maxLength: 20 })),
});
/** A table of up to 20 principals, and a request for a list page. */
const scenarios = fc.record({
  count: fc.integer({ min: 1, max: 300 }),
  principals: fc.array(principalItems, { minLength: 1, maxLength: 20, size: 'max' }),
  limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 310 })),
  // The position of an earlier list page, whose last plant may be deleted.
  after: fc.option(
    fc.nat(300).map((index) => sortKeyOf(nameOf(index), String(index))),
    { nil: undefined },
  ),
  // The most items in a response of the store. DynamoDB's limit is 1 MB.
  pageSize: fc.constantFrom<number[]>(20, 100, 100_000),
});
type Scenario = typeof scenarios extends fc.Arbitrary<infer Value> ? Value : never;
type TagOf = (index: number, rank: number) => string;

const plantsOf = ({ count, principals }: Scenario, tagOf: TagOf): readonly (readonly StoredPlant[])[] =>
  principals.map(({ first, step }, rank) =>
    range(Math.ceil(count / step))
      .map((place) => first + place * step)
      .map((index) => storedPlant(nameOf(index), String(index), tagOf(index, rank))),
  );

/**
 * The expected list page, sorted by key. It has each plant once, as the copy of the first principal that has
 * the plant.
 */
const expectedPage = (scenario: Scenario, tagOf: TagOf): ListPage => {
  const plants = plantsOf(scenario, tagOf).flat();
  const copies = new Map(plants.toReversed().map((stored) => [stored.sortKey, stored]));
  const all = [...copies.values()]
    .filter(({ sortKey }) => compareBytes(sortKey, scenario.after ?? '') > 0)
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey));
  const page = all.slice(0, scenario.limit);
  const next = all.length > page.length ? page.at(-1)?.sortKey : undefined;
  return { plants: page.map(({ plant }) => plant), next };
};

/**
 * Lists the items of principals, while a scheduler decides in which order the store responds. Returns the
 * list page or the error, the reads that ended, and the queries of all reads that started.
 */
const listItems = async (
  items: readonly (readonly TableItem[])[],
  query: Partial<ListQuery>,
  pageSize: number,
  scheduler: fc.Scheduler,
) => {
  const principals = principalsOf(items.length);
  const table = Object.fromEntries(principals.map((principal, rank) => [principal, items[rank] ?? []]));
  const inMemory = memoryPlantStore(table, pageSize);
  const started: PlantQuery[] = [];
  const store = recordingStore({
    read: async (plantQuery, signal) => {
      started.push(plantQuery);
      await scheduler.schedule(Promise.resolve());
      return inMemory.read(plantQuery, signal);
    },
  });
  const list = listOf(store, items.length, query).catch((error: unknown) => ({ error }));
  await scheduler.waitFor(list);
  return { outcome: await list, reads: store.reads, started };
};

const listScenario = (scenario: Scenario, tagOf: TagOf, maxBytes: number, scheduler: fc.Scheduler) => {
  const { principals, limit, after, pageSize } = scenario;
  const items = plantsOf(scenario, tagOf).map((plants, rank): readonly TableItem[] => [
    ...plants,
    ...(principals[rank]?.damaged ?? []).map((index) => ({ sortKey: `${nameOf(index)} damaged` })),
  ]);
  return listItems(items, { limit, after, maxBytes }, pageSize, scheduler);
};

/** `pages` times 20 plants, whose names begin with `list`. */
const pagesOf = (list: string, pages: number): readonly StoredPlant[] =>
  range(pages * 20).map((index) =>
    storedPlant(
      `${list} ${String(index).padStart(3, '0')}`,
      `${list} ${String(index).padStart(3, '0')}`,
      'x'.repeat(50),
    ),
  );

const pageBytes = pagesOf('a', 1).reduce((sum, { plant }) => sum + responseLength(plant), 0);

/** The plants of one of three lists of up to ten pages. Several principals can have copies of a list. */
const longLists = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 10 }))
  .map(([list, pages]) => pagesOf(list, pages).slice(1));

describe('a list', () => {
  // Property: in any order of responses, the list page has the first plants of all principals, and of each
  // principal few plants are read: once, and further only after a response that is full or has damaged items.
  it('has the first plants of all principals in whichever order responses arrive, with few reads', () =>
    fc.assert(
      fc.asyncProperty(scenarios, fc.scheduler(), async (scenario, scheduler) => {
        const tagOf: TagOf = (_, rank) => 'x'.repeat(rank);
        // `limit` plants always fit, whichever copies of them arrive first.
        const maxBytes = scenario.limit * mostPlantBytes;
        const { outcome, reads } = await listScenario(scenario, tagOf, maxBytes, scheduler);
        expect(outcome).toEqual(expectedPage(scenario, tagOf));
        for (const principal of principalsOf(scenario.principals.length)) {
          const ownReads = reads.filter(({ query }) => query.principal === principal);
          // A read that found all the plants it asked for leaves no reason for another read.
          const completeReads = ownReads.filter(({ query, result }) => {
            const isLast = result.next === undefined;
            const isFull = result.plants.length === query.limit;
            return result.damaged === 0 && (isLast || isFull);
          });
          expect(completeReads.length).toBeLessThanOrEqual(1);
          const damaged = ownReads.reduce((sum, { result }) => sum + result.damaged, 0);
          const plantsRead = ownReads.reduce((sum, { result }) => sum + result.plants.length, 0);
          expect(plantsRead).toBeLessThanOrEqual(scenario.limit + 1 + damaged);
        }
      }),
      { numRuns: 200 },
    ));

  it('is empty with limit 0, without a read', async () => {
    const store = recordingStore(memoryPlantStore({}));
    expect(await listOf(store, 2, { limit: 0 })).toEqual({ plants: [] });
    expect(store.reads).toEqual([]);
  });

  it('ends with the plant whose key is `upTo`', async () => {
    const store = memoryPlantStore({ 'group#0': [storedPlant('aloe'), storedPlant('fern')] });
    expect((await listOf(store, 1, { upTo: sortKeyOf('aloe') })).plants).toEqual([storedPlant('aloe').plant]);
  });

  it('reads few plants after its last one when 101 principals have alternating names', async () => {
    const tables = principalsOf(101).map((principal, rank): [string, readonly StoredPlant[]] => [
      principal,
      range(300).map((index) => storedPlant(String(index * 101 + rank).padStart(6, '0'))),
    ]);
    const store = recordingStore(memoryPlantStore(Object.fromEntries(tables)));
    expect((await listOf(store, 101, {})).plants).toHaveLength(1000);
    expect(store.reads.reduce((sum, { result }) => sum + result.plants.length, 0)).toBeLessThan(101 * 100);
  });

  it('takes few reads when many damaged items precede the first plant', async () => {
    const damaged = range(10_000).map((index) => ({ sortKey: `a${String(index)}` }));
    const store = recordingStore(memoryPlantStore({ 'group#0': [...damaged, storedPlant('z')] }, 10_000));
    expect((await listOf(store, 1, { limit: 1 })).plants).toEqual([storedPlant('z').plant]);
    expect(store.reads.length).toBeLessThan(20);
  });

  describe('with three damaged items', () => {
    const [aloe, fern] = [storedPlant('aloe'), storedPlant('fern')];
    const store = memoryPlantStore({
      'group#0': [{ sortKey: 'a' }, aloe, { sortKey: 'b' }],
      'group#1': [{ sortKey: 'c' }, fern],
    });
    const entry = ['error', { event: 'damaged-items', count: 3 }];

    it('has the other plants, and counts the damaged items in one log entry', async () => {
      const log = recordingLog();
      expect((await listOf(store, 2, {}, log)).plants).toEqual([aloe.plant, fern.plant]);
      expect(log.entries).toEqual([entry]);
    });

    it('counts the damaged items in one log entry when the list is too large', async () => {
      const log = recordingLog();
      const maxBytes = 2 * responseLength(aloe.plant) - 1;
      await expect(listOf(store, 2, { maxBytes }, log)).rejects.toThrow(tooLarge);
      expect(log.entries).toEqual([entry]);
    });
  });

  it('has eight reads in flight, and starts another read when a read ends', async () => {
    const reads: PromiseWithResolvers<ReadResult>[] = [];
    const read = () => {
      reads.push(Promise.withResolvers<ReadResult>());
      return reads.at(-1)?.promise ?? Promise.reject(new Error());
    };
    const list = listOf({ read }, 10, {});
    for (const ended of range(4)) {
      expect(reads).toHaveLength(Math.min(8 + ended, 10));
      reads[ended]?.resolve({ plants: [], damaged: 0 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { resolve } of reads) resolve({ plants: [], damaged: 0 });
    expect((await list).plants).toEqual([]);
  });

  // Property: in any order of responses, each principal has one uninterrupted turn for its further reads, and
  // no item is read twice.
  it('after the first page of each principal, reads further pages of one principal at a time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(longLists, { minLength: 2, maxLength: 20 }),
        fc.scheduler(),
        async (items, scheduler) => {
          const { started, reads } = await listItems(items, {}, 20, scheduler);
          const furtherReads = started.filter(({ after }) => after !== undefined);
          const principals = furtherReads.map(({ principal }) => principal);
          const turns = principals.filter((principal, index) => principal !== principals[index - 1]);
          expect(turns).toHaveLength(new Set(turns).size);
          const pages = items.map(({ length }) => Math.floor(length / 20) + 1);
          expect(reads).toHaveLength(pages.reduce((sum, count) => sum + count, 0));
        },
      ),
    ));

  it.each(['fails', 'is aborted'])(
    'starts no further read after a read %s, although other principals wait for their turn',
    async (how) => {
      const failure = new StoreUnavailable(undefined);
      const request = new AbortController();
      const long = memoryPlantStore(
        Object.fromEntries(principalsOf(20).map((principal) => [principal, pagesOf('a', 10)])),
        20,
      );
      let furtherReads = 0;
      const store = recordingStore({
        read: async (query, signal) => {
          furtherReads += Number(query.after !== undefined);
          if (furtherReads < 3) return long.read(query, signal);
          if (how === 'is aborted') request.abort(failure);
          throw failure;
        },
      });
      const query = { principals: principalsOf(20), limit: 1000, maxBytes: Infinity };
      await expect(readListPage({ store, log: recordingLog() }, query, request.signal)).rejects.toBe(failure);
      await new Promise((resolve) => setImmediate(resolve));
      // The first reads of 8 principals and 2 further reads ended.
      expect([furtherReads, store.reads.length]).toEqual([3, 8 + 2]);
    },
  );

  it('aborts all other reads when a read fails, and fails with the error of that read', async () => {
    const ended: string[] = [];
    const hanging = hangingPlantStore((principal) => ended.push(principal));
    const failure = new StoreUnavailable(undefined);
    const store: PlantStore = {
      read: (query, signal) =>
        query.principal === 'group#0' ? Promise.reject(failure) : hanging.read(query, signal),
    };
    await expect(listOf(store, 2, {})).rejects.toBe(failure);
    expect(ended).toEqual(['group#1']);
  });
});

describe('the size of a list', () => {
  // Property: in any order of responses, a list is refused if and only if its plants exceed the maximum.
  it('decides alone, in any order of responses, whether the list is refused', async () => {
    const seen = { lists: 0, refusals: 0 };
    const tagOf: TagOf = (index) => 'x'.repeat(index % 100);
    const sizes = fc.integer({ min: 20 * mostPlantBytes, max: 12_000 });
    await fc.assert(
      fc.asyncProperty(scenarios, sizes, fc.scheduler(), async (generated, maxBytes, scheduler) => {
        // One response of the store always fits.
        const scenario = { ...generated, limit: 1000, pageSize: 20 };
        const page = expectedPage(scenario, tagOf);
        const bytes = page.plants.reduce((sum, plant) => sum + responseLength(plant), 0);
        const isTooLarge = bytes > maxBytes;
        const { outcome } = await listScenario(scenario, tagOf, maxBytes, scheduler);
        expect(outcome).toEqual(isTooLarge ? { error: tooLarge } : page);
        seen[isTooLarge ? 'refusals' : 'lists'] += 1;
      }),
      { numRuns: 130 },
    );
    // The generator must make many lists that fit, and many that do not.
    expect(Math.min(seen.lists, seen.refusals)).toBeGreaterThan(30);
  });
});

describe('a list that is too large', () => {
  // Property: if 20 pages fit, a list of 30 pages is refused after 20 further reads, however many principals
  // share it and in any order of responses. Of these principals, at most 8 were read, as many as fit in
  // flight.
  it('is refused after at most 8 first and 20 further reads of its principals, if 20 pages fit', () =>
    fc.assert(
      fc.asyncProperty(
        // The pages of each other principal: the shared list, two plants of it, or none.
        fc.array(fc.constantFrom(30, 0.1, 0), { maxLength: 99, size: 'max' }),
        fc.nat(99),
        fc.scheduler(),
        async (otherPages, place, scheduler) => {
          const pages = otherPages.toSpliced(place, 0, 30);
          const items = pages.map((count) => pagesOf('a', count));
          const { outcome, started } = await listItems(items, { maxBytes: 20 * pageBytes }, 20, scheduler);
          expect(outcome).toEqual({ error: tooLarge });
          const furtherReads = started.filter(({ after }) => after !== undefined);
          // The first page and 20 further pages exceed the maximum.
          expect(furtherReads).toHaveLength(20);
          const firstReads = started.filter(({ after }) => after === undefined);
          const sharers = new Set<string>(principalsOf(pages.length).filter((_, rank) => pages[rank] === 30));
          const firstReadsOfSharers = firstReads.filter(({ principal }) => sharers.has(principal));
          expect(firstReadsOfSharers.length).toBeLessThanOrEqual(8);
        },
      ),
    ));

  it('is refused after nine reads if seven pages fit, and 100 principals have different plants', async () => {
    const tables = principalsOf(100).map((principal, rank) => [principal, pagesOf(String(rank), 2)] as const);
    const store = recordingStore(memoryPlantStore(Object.fromEntries(tables), 20));
    await expect(listOf(store, 100, { maxBytes: 7 * pageBytes })).rejects.toThrow(tooLarge);
    expect(store.reads).toHaveLength(9);
  });

  it('is refused when larger plants of another principal displace the first plants', async () => {
    const small = range(101).map((id) => storedPlant('z', `z${String(id)}`));
    const large = range(100).map((id) => storedPlant('a', `a${String(id)}`, 'x'.repeat(100)));
    const store = memoryPlantStore({ 'group#0': small, 'group#1': large });
    await expect(listOf(store, 2, { limit: 100, maxBytes: 5000 })).rejects.toThrow(tooLarge);
  });
});
