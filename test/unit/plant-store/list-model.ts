import fc from 'fast-check';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { listPlants, type ListPage, type ListQuery } from '../../../functions/plant-store/list-plants.ts';
import type { PlantStore } from '../../../functions/plant-store/plant-store.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { type Principal, principalOf } from '../../../table/principal.ts';
import type { SortKey } from '../../../table/sort-key.ts';
import { recordingLog } from '../../support/recording-log.ts';
import {
  compareBytes,
  memoryPlantStore,
  type TableItem,
  watched,
} from '../../support/table/memory-plant-store.ts';
import { sortKeyOf, storedPlant } from '../../support/table/stored-plants.ts';

/** The size of a plant without texts in Lambda's response, which escapes the quotes of the body. */
const emptyPlantBytes = String.raw`{\"name\":\"\",\"tag\":\"\"},`.length;
/** With a name of 5 UTF-16 units and a tag of 100. */
export const mostPlantBytes = emptyPlantBytes + 5 + 100;

/** Lower bound of a list page's size in the response. */
export const bytesOf = ({ plants }: ListPage): number =>
  plants.reduce((sum, { name, tag = '' }) => sum + emptyPlantBytes + name.length + tag.length, 0);

export const principalsOf = (count: number): readonly Principal[] =>
  Array.from({ length: count }, (_, rank) => principalOf('group', String(rank)));

/** Lists the plants of this many principals. */
export const listOf = (
  store: PlantStore,
  principals: number,
  query: Partial<ListQuery>,
  { signal = new AbortController().signal, log = recordingLog() } = {},
): Promise<ListPage> => {
  const all = { limit: 1000, maxBytes: Infinity, tooLarge: catalogue.resultTooLarge };
  return listPlants({ store, log }, { principals: principalsOf(principals), ...all, ...query }, signal);
};

/** What some principals have, and how it is asked for. */
export interface World {
  /** The items of each principal. */
  readonly tables: readonly (readonly TableItem[])[];
  readonly limit: number;
  readonly after: SortKey | undefined;
  /** In items: what DynamoDB responds with at most. */
  readonly pageSize: number;
}

// In an order that UTF-16 units do not have, and with names that are equal.
const nameOf = (index: number): string =>
  `${['A', 'b', '水', '\uffff', '\u{1f33f}'][index % 5] ?? ''}${String(index >> 3).padStart(3, '0')}`;
const keyOf = (index: number): SortKey => sortKeyOf(nameOf(index), String(index));

/** Every `step`th plant from `first` on, and the places of damaged items. */
const holding = fc.record({
  first: fc.nat(12),
  step: fc.constantFrom(1, 1, 2, 12),
  damaged: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(300), { maxLength: 20 })),
});

/** @param tagOf the tag of a principal's copy of a plant */
export const worlds = (tagOf: (index: number, rank: number) => string): fc.Arbitrary<World> =>
  fc
    .record({
      count: fc.integer({ min: 1, max: 300 }),
      holdings: fc.array(holding, { minLength: 1, maxLength: 20 }),
      limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 310 })),
      // The position of an earlier list page, whose last plant may be deleted.
      after: fc.option(fc.nat(300).map(keyOf), { nil: undefined }),
      pageSize: fc.constantFrom(20, 100, 100_000),
    })
    .map(({ count, holdings, ...query }) => ({
      ...query,
      tables: holdings.map(({ first, step, damaged }, rank) => [
        ...Array.from({ length: Math.ceil(count / step) }, (_, index) => first + index * step).map((index) =>
          storedPlant(nameOf(index), String(index), tagOf(index, rank)),
        ),
        ...damaged.map((index) => ({ sortKey: `${nameOf(index)} damaged` })),
      ]),
    }));

const isPlant = (item: TableItem): item is StoredPlant => 'plant' in item;

/** The expected list page: of each plant, the copy of the first principal that has it, in order. */
export const expectedPage = ({ tables, limit, after }: World): ListPage => {
  const copies = new Map<SortKey, StoredPlant>();
  for (const stored of tables.flat().filter(isPlant))
    if (!copies.has(stored.sortKey)) copies.set(stored.sortKey, stored);
  const all = [...copies.values()]
    .filter(({ sortKey }) => after === undefined || compareBytes(sortKey, after) > 0)
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey));
  const page = all.slice(0, limit);
  return {
    plants: page.map(({ plant }) => plant),
    next: all.length > page.length ? page.at(-1)?.sortKey : undefined,
  };
};

/** Lists a world whose responses arrive in the order of a scheduler; also returns the reads. */
export const listWorld = async (
  { tables, limit, after, pageSize }: World,
  scheduler: fc.Scheduler,
  maxBytes = Infinity,
): Promise<{ readonly outcome: unknown; readonly reads: ReturnType<typeof watched>['reads'] }> => {
  const principals = principalsOf(tables.length);
  const table = Object.fromEntries(principals.map((principal, rank) => [principal, tables[rank] ?? []]));
  const inMemory = memoryPlantStore(table, pageSize);
  const store = watched({
    read: async (query, signal) => {
      await scheduler.schedule(Promise.resolve());
      return inMemory.read(query, signal);
    },
  });
  const list = listOf(store, tables.length, { limit, after, maxBytes }).catch((error: unknown) => ({
    error,
  }));
  await scheduler.waitFor(list);
  return { outcome: await list, reads: store.reads };
};
