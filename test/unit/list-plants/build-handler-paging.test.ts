import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredPlant } from '../../../table/item.ts';
import { callers, type Grants, grants, limits, principals } from '../../support/arbitrary-table.ts';
import { type Caller, readPage, readPages } from '../../support/list-pages.ts';
import { compareBytes, memoryPlantStore, type Table } from '../../support/memory-plant-store.ts';

/** The plants granted to the caller, each once, in the order of the contract. */
const plantsOf = ({ granted }: Grants, { subject, groups }: Caller): readonly StoredPlant[] => {
  const holders = [`user#${subject}`, ...groups.map((group) => `group#${group}`)];
  return [...granted]
    .filter(([, grantedTo]) => grantedTo.some((principal) => holders.includes(principal)))
    .flatMap(([item]) => ('plant' in item ? [item] : []))
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey));
};

const pageSizes = fc.integer({ min: 1, max: 6 });

describe('the pages of a list', () => {
  it('are full except for the last, and together are exactly the plants granted to the caller', async () => {
    await fc.assert(
      fc.asyncProperty(grants, callers, pageSizes, limits, async (granted, caller, size, limit) => {
        const expected = plantsOf(granted, caller).map(({ plant }) => plant);
        const store = memoryPlantStore(granted.table, size);
        expect(await readPage(store, caller, '')).toMatchObject({ plants: expected, next: undefined });
        const pages = await readPages(store, caller, `limit=${String(limit)}`);
        expect(pages.flatMap(({ plants }) => plants)).toEqual(expected);
        for (const { plants } of pages.slice(0, -1)) expect(plants).toHaveLength(limit);
        expect(pages.length).toBe(Math.max(1, Math.ceil(expected.length / limit)));
      }),
      { numRuns: 300 },
    );
  });

  it('contain each remaining plant exactly once, in order, while others are added and removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        grants,
        fc.func(fc.boolean()),
        fc.infiniteStream(fc.boolean()),
        pageSizes,
        limits,
        async (granted, isChanging, isPresent, size, limit) => {
          const caller = { subject: 'alice', groups: ['alice', 'gardeners', 'buyers'] };
          const changing = new Set([...granted.granted.keys()].filter(({ sortKey }) => isChanging(sortKey)));
          const isThere = (item: StoredPlant | { readonly sortKey: string }) =>
            !changing.has(item) || isPresent.next().value === true;
          // Called for each read, so the table also changes while one page is read.
          const table = (): Table =>
            Object.fromEntries(
              principals.map((principal) => [principal, (granted.table[principal] ?? []).filter(isThere)]),
            );
          const pages = await readPages(memoryPlantStore(table, size), caller, `limit=${String(limit)}`);
          const shown = pages.flatMap(({ plants }) => plants);

          const remaining = plantsOf(granted, caller).filter((plant) => !changing.has(plant));
          expect(shown.filter(({ tag }) => remaining.some(({ plant }) => plant.tag === tag))).toEqual(
            remaining.map(({ plant }) => plant),
          );
          const positions = shown.map(({ tag }) => tag.replace('/', '\u0000'));
          expect(positions).toEqual([...new Set(positions)].sort(compareBytes));
        },
      ),
      { numRuns: 500 },
    );
  });
});
