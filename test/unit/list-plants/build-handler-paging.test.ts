import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callers, grants, limits, principals } from '../../support/table/arbitrary-table.ts';
import { readPages } from '../../support/list-pages.ts';
import {
  compareBytes,
  memoryPlantStore,
  type Table,
  type TableItem,
} from '../../support/table/memory-plant-store.ts';

/** Which items other people add and remove all the time; none in half of the cases. */
const changes = fc.oneof(
  fc.constant(() => false),
  fc.func(fc.boolean()),
);
const presence = fc.infiniteStream(fc.boolean());
const pageSizes = fc.integer({ min: 1, max: 6 });

it('the pages of a caller have each granted plant that stays exactly once, in order, and no other’s plant', async () => {
  await fc.assert(
    fc.asyncProperty(
      ...[grants, callers, limits, pageSizes, changes, presence],
      async ({ table, granted }, { subject, groups }, limit, size, isChanging, isPresent) => {
        const changing = new Set([...granted.keys()].filter(({ sortKey }) => isChanging(sortKey)));
        const isThere = (item: TableItem): boolean => !changing.has(item) || isPresent.next().value === true;
        // Called for each read, so the table also changes while one page is read.
        const current = (): Table =>
          Object.fromEntries(principals.map((each) => [each, (table[each] ?? []).filter(isThere)]));
        const store = memoryPlantStore(current, size);
        const pages = await readPages(store, { subject, groups }, `limit=${String(limit)}`);
        const shown = pages.flatMap(({ plants }) => plants);

        const holders = [`user#${subject}`, ...groups.map((group) => `group#${group}`)];
        const own = [...granted]
          .filter(([, grantedTo]) => grantedTo.some((principal) => holders.includes(principal)))
          .flatMap(([item]) => ('plant' in item ? [item] : []))
          .sort((a, b) => compareBytes(a.sortKey, b.sortKey));
        const tagsOf = (plants: readonly (typeof own)[number][]) => plants.map(({ plant }) => plant.tag);
        const tags = shown.map(({ tag }) => tag);
        expect(tags).toEqual(tagsOf(own).filter((tag = '') => tags.includes(tag)));
        expect(tags).toEqual(expect.arrayContaining(tagsOf(own.filter((item) => !changing.has(item)))));
        if (changing.size > 0) return;
        for (const { plants } of pages.slice(0, -1)) expect(plants).toHaveLength(limit);
        expect(pages.length).toBe(Math.max(1, Math.ceil(shown.length / limit)));
      },
    ),
    { numRuns: 700 },
  );
});
