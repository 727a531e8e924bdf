import type fc from 'fast-check';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { listPlants, type ListQuery, type ListPage } from '../../../functions/plant-store/list-plants.ts';
import type { PlantStore } from '../../../functions/plant-store/plant-store.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { type Principal, principalOf } from '../../../table/principal.ts';
import type { SortKey } from '../../../table/sort-key.ts';
import { recordingLog } from '../../support/recording-log.ts';
import {
  compareBytes,
  memoryPlantStore,
  type Table,
  type TableItem,
  watched,
} from '../../support/table/memory-plant-store.ts';

export const firstPrincipals = (count: number): readonly Principal[] =>
  Array.from({ length: count }, (_, index) => principalOf('group', String(index)));

/** A table in which each principal has the items of its rank. */
export const tableOf = (items: readonly (readonly TableItem[])[]): Table =>
  Object.fromEntries(firstPrincipals(items.length).map((principal, rank) => [principal, items[rank] ?? []]));

/** Lists the plants of this many principals. */
export const listOf = (
  store: PlantStore,
  principals: number,
  query: Partial<ListQuery>,
  signal = new AbortController().signal,
): Promise<ListPage> => {
  const all = { limit: 1000, maxBytes: Infinity, tooLarge: catalogue.resultTooLarge };
  const log = recordingLog();
  return listPlants({ store, log }, { principals: firstPrincipals(principals), ...all, ...query }, signal);
};

/** Lists a table whose responses arrive in the order of a scheduler; also returns the reads. */
export const scheduledList = async (
  scheduler: fc.Scheduler,
  items: readonly (readonly TableItem[])[],
  pageSize: number,
  query: Partial<ListQuery>,
): Promise<{ readonly outcome: unknown; readonly reads: ReturnType<typeof watched>['reads'] }> => {
  const inMemory = memoryPlantStore(tableOf(items), pageSize);
  const store = watched({
    read: async (given, signal) => {
      await scheduler.schedule(Promise.resolve());
      return inMemory.read(given, signal);
    },
  });
  const list = listOf(store, items.length, query).catch((error: unknown) => ({ error }));
  await scheduler.waitFor(list);
  return { outcome: await list, reads: store.reads };
};

/** The expected list page: of each plant, the copy of the first principal that has it, in order. */
export const expectedPage = (
  tables: readonly (readonly StoredPlant[])[],
  limit: number,
  after: SortKey | undefined,
): ListPage => {
  const copies = new Map<SortKey, StoredPlant>();
  for (const stored of tables.flat()) if (!copies.has(stored.sortKey)) copies.set(stored.sortKey, stored);
  const all = [...copies.values()]
    .filter(({ sortKey }) => after === undefined || compareBytes(sortKey, after) > 0)
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey));
  const page = all.slice(0, limit);
  return {
    plants: page.map(({ plant }) => plant),
    next: all.length > page.length ? page.at(-1)?.sortKey : undefined,
  };
};
