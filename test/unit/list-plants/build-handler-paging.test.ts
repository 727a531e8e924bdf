import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../functions/list-plants/http/cursor.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { isSortKey } from '../../../table/sort-key.ts';
import { callers, type Grants, grants, limits, principals } from '../../support/arbitrary-table.ts';
import { type Caller, readPage, readPages } from '../../support/list-pages.ts';
import { compareBytes, memoryPlantStore, type Table } from '../../support/memory-plant-store.ts';

const principalsNamed = ({ subject, groups }: Caller): readonly string[] => [
  `user#${subject}`,
  ...groups.map((group) => `group#${group}`),
];

/** The plants granted to the caller, each once, in the order of the contract. */
const plantsOf = ({ granted }: Grants, caller: Caller): readonly StoredPlant[] =>
  [...granted]
    .filter(([, holders]) => holders.some((holder) => principalsNamed(caller).includes(holder)))
    .flatMap(([item]) => ('plant' in item ? [item] : []))
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey));

const pageSizes = fc.integer({ min: 1, max: 6 });

describe('a caller', () => {
  it('never sees another caller’s plant, whatever the grants, the request and the items', async () => {
    const cursors = fc.option(
      fc.nat().map((seed) => (table: Table) => {
        const keys = Object.values(table).flatMap((items) => items.map(({ sortKey }) => sortKey));
        const key = keys[seed % keys.length];
        return isSortKey(key) ? `&cursor=${encodeCursor(key)}` : '';
      }),
      { nil: () => '' },
    );
    await fc.assert(
      fc.asyncProperty(
        grants,
        callers,
        pageSizes,
        limits,
        cursors,
        async (granted, caller, size, limit, cursor) => {
          const store = memoryPlantStore(granted.table, size);
          const query = `limit=${String(limit)}${cursor(granted.table)}`;
          const allowed = plantsOf(granted, caller).map(({ plant: { tag } }) => tag);
          for (const { tag } of (await readPage(store, caller, query)).plants) expect(allowed).toContain(tag);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is shown all their plants in byte order without a limit', async () => {
    await fc.assert(
      fc.asyncProperty(grants, callers, pageSizes, async (granted, caller, size) => {
        const { plants, next } = await readPage(memoryPlantStore(granted.table, size), caller, '');
        expect(plants).toEqual(plantsOf(granted, caller).map(({ plant }) => plant));
        expect(next).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe('the pages of a list', () => {
  it('are full except for the last, and together are the whole list', async () => {
    await fc.assert(
      fc.asyncProperty(grants, callers, pageSizes, limits, async (granted, caller, size, limit) => {
        const pages = await readPages(
          memoryPlantStore(granted.table, size),
          caller,
          `limit=${String(limit)}`,
        );
        const shown = pages.flatMap(({ plants }) => plants);
        expect(shown).toEqual(plantsOf(granted, caller).map(({ plant }) => plant));
        for (const { plants } of pages.slice(0, -1)) expect(plants).toHaveLength(limit);
        expect(pages.length).toBe(Math.max(1, Math.ceil(shown.length / limit)));
      }),
      { numRuns: 300 },
    );
  });

  it('contain each remaining plant exactly once, in order, while others are added and removed', async () => {
    const presence = fc.infiniteStream(fc.boolean());
    await fc.assert(
      fc.asyncProperty(
        grants,
        fc.func(fc.boolean()),
        presence,
        pageSizes,
        limits,
        async (granted, isChanging, isPresent, size, limit) => {
          const caller = { subject: 'alice', groups: ['alice', 'gardeners', 'buyers'] };
          const changing = new Set([...granted.granted.keys()].filter(({ sortKey }) => isChanging(sortKey)));
          // Called for each read, so the table also changes while one page is read.
          const table = (): Table =>
            Object.fromEntries(
              principals.map((principal) => [
                principal,
                (granted.table[principal] ?? []).filter(
                  (item) => !changing.has(item) || isPresent.next().value,
                ),
              ]),
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
