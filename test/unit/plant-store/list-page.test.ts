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
  watched,
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

// In an order that UTF-16 units do not have, and with names that are equal.
const nameOf = (index: number): string =>
  `${['A', 'b', '水', '\uffff', '\u{1f33f}'][index % 5] ?? ''}${String(index >> 3).padStart(3, '0')}`;

/** With a name of 5 UTF-16 units, an id of 3 and a tag of 100. */
const mostPlantBytes = responseLength(storedPlant('x'.repeat(5), '300', 'x'.repeat(100)).plant);

/** Which plants a principal has, every `step`th from `first` on, and places of damaged items among them. */
const holding = fc.record({
  first: fc.nat(12),
  step: fc.constantFrom(1, 1, 2, 12),
  damaged: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(300), { maxLength: 20 })),
});
const worlds = fc.record({
  count: fc.integer({ min: 1, max: 300 }),
  holdings: fc.array(holding, { minLength: 1, maxLength: 20, size: 'max' }),
  limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 310 })),
  // The position of an earlier list page, whose last plant may be deleted.
  after: fc.option(
    fc.nat(300).map((index) => sortKeyOf(nameOf(index), String(index))),
    { nil: undefined },
  ),
  // In items: what DynamoDB responds with at most.
  pageSize: fc.constantFrom<number[]>(20, 100, 100_000),
});
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never;
type TagOf = (index: number, rank: number) => string;

const plantsOf = ({ count, holdings }: World, tagOf: TagOf): readonly (readonly StoredPlant[])[] =>
  holdings.map(({ first, step }, rank) =>
    range(Math.ceil(count / step))
      .map((place) => first + place * step)
      .map((index) => storedPlant(nameOf(index), String(index), tagOf(index, rank))),
  );

/** The expected list page: of each plant, the copy of the first principal that has it, in order. */
const expectedPage = (world: World, tagOf: TagOf): ListPage => {
  const plants = plantsOf(world, tagOf).flat();
  const copies = new Map(plants.toReversed().map((stored) => [stored.sortKey, stored]));
  const all = [...copies.values()]
    .filter(({ sortKey }) => compareBytes(sortKey, world.after ?? '') > 0)
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey));
  const page = all.slice(0, world.limit);
  const next = all.length > page.length ? page.at(-1)?.sortKey : undefined;
  return { plants: page.map(({ plant }) => plant), next };
};

/** Lists the items of principals. Responses arrive in the order of a scheduler. Also returns the reads. */
const listItems = async (
  items: readonly (readonly TableItem[])[],
  query: Partial<ListQuery>,
  pageSize: number,
  scheduler: fc.Scheduler,
) => {
  const table = Object.fromEntries(principalsOf(items.length).map((each, rank) => [each, items[rank] ?? []]));
  const inMemory = memoryPlantStore(table, pageSize);
  const started: PlantQuery[] = [];
  const store = watched({
    read: async (each, signal) => {
      started.push(each);
      await scheduler.schedule(Promise.resolve());
      return inMemory.read(each, signal);
    },
  });
  const list = listOf(store, items.length, query).catch((error: unknown) => ({ error }));
  await scheduler.waitFor(list);
  return { outcome: await list, reads: store.reads, started };
};

const listWorld = (world: World, tagOf: TagOf, maxBytes: number, scheduler: fc.Scheduler) => {
  const { holdings, limit, after, pageSize } = world;
  const items = plantsOf(world, tagOf).map((plants, rank): readonly TableItem[] => [
    ...plants,
    ...(holdings[rank]?.damaged ?? []).map((index) => ({ sortKey: `${nameOf(index)} damaged` })),
  ]);
  return listItems(items, { limit, after, maxBytes }, pageSize, scheduler);
};

/** Plants of a list of this name, on pages of 20. */
const pagesOf = (list: string, pages: number): readonly StoredPlant[] =>
  range(pages * 20).map((index) =>
    storedPlant(
      `${list} ${String(index).padStart(3, '0')}`,
      `${list} ${String(index).padStart(3, '0')}`,
      'x'.repeat(50),
    ),
  );

const pageBytes = pagesOf('a', 1).reduce((sum, { plant }) => sum + responseLength(plant), 0);

/** One of three lists of one to ten pages, of which several principals have copies. */
const longLists = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 10 }))
  .map(([list, pages]) => pagesOf(list, pages).slice(1));

describe('a list', () => {
  it('has the first plants of all principals in whichever order responses arrive, with few reads', () =>
    fc.assert(
      fc.asyncProperty(worlds, fc.scheduler(), async (world, scheduler) => {
        const tagOf: TagOf = (_, rank) => 'x'.repeat(rank);
        // Any plants of this number fit, whichever copies arrive first.
        const maxBytes = world.limit * mostPlantBytes;
        const { outcome, reads } = await listWorld(world, tagOf, maxBytes, scheduler);
        expect(outcome).toEqual(expectedPage(world, tagOf));
        for (const principal of principalsOf(world.holdings.length)) {
          const own = reads.filter(({ query }) => query.principal === principal);
          // One read of each principal, and more only after 1 MB and behind damaged items.
          const undisturbed = own.filter(
            ({ query: { limit }, result: { plants, damaged, next } }) =>
              damaged === 0 && (next === undefined || plants.length === limit),
          );
          expect(undisturbed.length).toBeLessThanOrEqual(1);
          const damaged = own.reduce((sum, { result }) => sum + result.damaged, 0);
          const read = own.reduce((sum, { result }) => sum + result.plants.length, 0);
          expect(read).toBeLessThanOrEqual(world.limit + 1 + damaged);
        }
      }),
      { numRuns: 200 },
    ));

  it('is empty with limit 0, without a read', async () => {
    const store = watched(memoryPlantStore({}));
    expect(await listOf(store, 2, { limit: 0 })).toEqual({ plants: [] });
    expect(store.reads).toEqual([]);
  });

  it('may end at a key', async () => {
    const store = memoryPlantStore({ 'group#0': [storedPlant('aloe'), storedPlant('fern')] });
    expect((await listOf(store, 1, { upTo: sortKeyOf('aloe') })).plants).toEqual([storedPlant('aloe').plant]);
  });

  it('reads few plants after its last one when 101 principals have alternating names', async () => {
    const tables = principalsOf(101).map((principal, rank): [string, readonly StoredPlant[]] => [
      principal,
      range(300).map((index) => storedPlant(String(index * 101 + rank).padStart(6, '0'))),
    ]);
    const store = watched(memoryPlantStore(Object.fromEntries(tables)));
    expect((await listOf(store, 101, {})).plants).toHaveLength(1000);
    expect(store.reads.reduce((sum, { result }) => sum + result.plants.length, 0)).toBeLessThan(101 * 100);
  });

  it('takes few reads when many damaged items precede the first plant', async () => {
    const damaged = range(10_000).map((index) => ({ sortKey: `a${String(index)}` }));
    const store = watched(memoryPlantStore({ 'group#0': [...damaged, storedPlant('z')] }, 10_000));
    expect((await listOf(store, 1, { limit: 1 })).plants).toEqual([storedPlant('z').plant]);
    expect(store.reads.length).toBeLessThan(20);
  });

  it('counts damaged items in one log entry, also when it fails', async () => {
    const log = recordingLog();
    const [aloe, fern] = [storedPlant('aloe'), storedPlant('fern')];
    const store = memoryPlantStore({
      'group#0': [{ sortKey: 'a' }, aloe, { sortKey: 'b' }],
      'group#1': [{ sortKey: 'c' }, fern],
    });
    const entry = ['error', { event: 'damaged-items', count: 3 }];
    expect((await listOf(store, 2, {}, log)).plants).toEqual([aloe.plant, fern.plant]);
    await expect(listOf(store, 2, { maxBytes: 2 * responseLength(aloe.plant) - 1 }, log)).rejects.toThrow(
      tooLarge,
    );
    expect(log.entries).toEqual([entry, entry]);
  });

  it('has eight reads in flight, and starts the next when one ends', async () => {
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

  it('reads one principal at a time after the first 20 items of each, and 20 items at a time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(longLists, { minLength: 2, maxLength: 20 }),
        fc.scheduler(),
        async (items, scheduler) => {
          const { started, reads } = await listItems(items, {}, 20, scheduler);
          const readOn = started.flatMap(({ principal, after }) => (after === undefined ? [] : [principal]));
          const turns = readOn.filter((principal, index) => principal !== readOn[index - 1]);
          expect(turns).toHaveLength(new Set(turns).size);
          expect(reads).toHaveLength(items.reduce((sum, { length }) => sum + Math.floor(length / 20) + 1, 0));
        },
      ),
    ));

  it.each(['fails', 'is aborted'])(
    'starts no read after one %s while other principals wait for it',
    async (how) => {
      const failure = new StoreUnavailable(undefined);
      const request = new AbortController();
      const long = memoryPlantStore(
        Object.fromEntries(principalsOf(20).map((principal) => [principal, pagesOf('a', 10)])),
        20,
      );
      let readsOn = 0;
      const store = watched({
        read: async (query, signal) => {
          readsOn += Number(query.after !== undefined);
          if (readsOn < 3) return long.read(query, signal);
          if (how === 'is aborted') request.abort(failure);
          throw failure;
        },
      });
      const query = { principals: principalsOf(20), limit: 1000, maxBytes: Infinity };
      await expect(readListPage({ store, log: recordingLog() }, query, request.signal)).rejects.toBe(failure);
      await new Promise((resolve) => setImmediate(resolve));
      expect([readsOn, store.reads.length]).toEqual([3, 8 + 2]);
    },
  );

  it('aborts the other reads when one fails, and fails with its error', async () => {
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

describe('a list that is too large', () => {
  it('is refused exactly if its plants exceed the maximum, in any order of responses', async () => {
    const seen = { lists: 0, refusals: 0 };
    const tagOf: TagOf = (index) => 'x'.repeat(index % 100);
    const sizes = fc.integer({ min: 20 * mostPlantBytes, max: 12_000 });
    await fc.assert(
      fc.asyncProperty(worlds, sizes, fc.scheduler(), async (given, maxBytes, scheduler) => {
        // One DynamoDB response always fits.
        const world = { ...given, limit: 1000, pageSize: 20 };
        const page = expectedPage(world, tagOf);
        const bytes = page.plants.reduce((sum, plant) => sum + responseLength(plant), 0);
        const isTooLarge = bytes > maxBytes;
        const { outcome } = await listWorld(world, tagOf, maxBytes, scheduler);
        expect(outcome).toEqual(isTooLarge ? { error: tooLarge } : page);
        seen[isTooLarge ? 'refusals' : 'lists'] += 1;
      }),
      { numRuns: 130 },
    );
    // The generator must make many of both.
    expect(Math.min(seen.lists, seen.refusals)).toBeGreaterThan(30);
  });

  it('is read about once, and one page of seven copies, however many principals share it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('long' as const, 'short' as const, 'none' as const), {
          maxLength: 99,
          size: 'max',
        }),
        fc.nat(99),
        fc.scheduler(),
        async (others, place, scheduler) => {
          const holds = others.toSpliced(place, 0, 'long');
          const items = holds.map((hold) => pagesOf('a', { long: 30, short: 0.1, none: 0 }[hold]));
          const { outcome, started } = await listItems(items, { maxBytes: 20 * pageBytes }, 20, scheduler);
          expect(outcome).toEqual({ error: tooLarge });
          const readOn = started.filter(({ after }) => after !== undefined);
          // The 21st page exceeds the maximum.
          expect(readOn).toHaveLength(20);
          const first = started.filter(
            ({ principal }) => holds[Number(principal.slice('group#'.length))] === 'long',
          );
          expect(first.length - readOn.length).toBeLessThanOrEqual(8);
        },
      ),
    ));

  it('is refused after nine reads when seven pages fit and 100 principals have other plants', async () => {
    const tables = principalsOf(100).map((principal, rank) => [principal, pagesOf(String(rank), 2)] as const);
    const store = watched(memoryPlantStore(Object.fromEntries(tables), 20));
    await expect(listOf(store, 100, { maxBytes: 7 * pageBytes })).rejects.toThrow(tooLarge);
    expect(store.reads).toHaveLength(9);
  });

  it('is refused when larger plants precede those that filled it', async () => {
    const small = range(101).map((id) => storedPlant('z', `z${String(id)}`));
    const large = range(100).map((id) => storedPlant('a', `a${String(id)}`, 'x'.repeat(100)));
    const store = memoryPlantStore({ 'group#0': small, 'group#1': large });
    await expect(listOf(store, 2, { limit: 100, maxBytes: 5000 })).rejects.toThrow(tooLarge);
  });
});
