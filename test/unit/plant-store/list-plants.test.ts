import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxResponseBytes, noLimit } from '../../../functions/http/json-response.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import type { PlantStore, ReadResult } from '../../../functions/plant-store/plant-store.ts';
import { ServiceError } from '../../../functions/shared/errors.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { hangingPlantStore, memoryPlantStore, watched } from '../../support/table/memory-plant-store.ts';
import { storedPlant } from '../../support/table/stored-plants.ts';
import {
  bytesOf,
  expectedPage,
  listOf,
  listWorld,
  mostPlantBytes,
  principalsOf,
  worlds,
} from './list-model.ts';

const tooLarge = new ServiceError(catalogue.resultTooLarge);
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a list', () => {
  it('has the first plants of all principals, in whichever order their responses arrive', () =>
    fc.assert(
      fc.asyncProperty(
        worlds((_, rank) => 'x'.repeat(rank)),
        fc.scheduler(),
        async (world, scheduler) => {
          // Any plants of this number fit, whichever copies arrive first.
          const maxBytes = world.limit * mostPlantBytes;
          const { outcome } = await listWorld(world, scheduler, maxBytes);
          expect(outcome).toEqual(expectedPage(world));
        },
      ),
      { numRuns: 200 },
    ));

  it('takes one read of each principal, and more only after 1 MB and behind damaged items', () =>
    fc.assert(
      fc.asyncProperty(
        worlds(() => ''),
        fc.scheduler(),
        async (world, scheduler) => {
          const { reads } = await listWorld(world, scheduler);
          for (const principal of principalsOf(world.tables.length)) {
            const own = reads.filter(({ query }) => query.principal === principal);
            const undisturbed = own.filter(
              ({ query, result: { plants, damaged, next } }) =>
                damaged === 0 && (next === undefined || plants.length === query.limit),
            );
            expect(undisturbed.length).toBeLessThanOrEqual(1);
            const damaged = own.reduce((sum, { result }) => sum + result.damaged, 0);
            const read = own.reduce((sum, { result }) => sum + result.plants.length, 0);
            expect(read).toBeLessThanOrEqual(world.limit + 1 + damaged);
          }
        },
      ),
      { numRuns: 200 },
    ));

  it('is empty with limit 0, without a read', async () => {
    const store = watched(memoryPlantStore({}));
    expect(await listOf(store, 2, { limit: 0 })).toEqual({ plants: [] });
    expect(store.reads).toEqual([]);
  });

  it('reads few plants after its last one when 101 principals have alternating names', async () => {
    const tables = principalsOf(101).map((principal, rank): [string, readonly StoredPlant[]] => [
      principal,
      Array.from({ length: 300 }, (_, index) => storedPlant(String(index * 101 + rank).padStart(6, '0'))),
    ]);
    const store = watched(memoryPlantStore(Object.fromEntries(tables)));
    expect((await listOf(store, 101, { limit: 1000 })).plants).toHaveLength(1000);
    expect(store.reads.reduce((sum, { result }) => sum + result.plants.length, 0)).toBeLessThan(101 * 100);
  });

  it('takes few reads when many damaged items precede the first plant', async () => {
    const damaged = Array.from({ length: 10_000 }, (_, index) => ({ sortKey: `a${String(index)}` }));
    const store = watched(memoryPlantStore({ 'group#0': [...damaged, storedPlant('z')] }, 10_000));
    expect((await listOf(store, 1, { limit: 1 })).plants).toEqual([{ name: 'z' }]);
    expect(store.reads.length).toBeLessThan(20);
  });

  it('counts damaged items in one log entry, also when it fails', async () => {
    const log = recordingLog();
    const store = memoryPlantStore({
      'group#0': [{ sortKey: 'a' }, storedPlant('aloe'), { sortKey: 'b' }],
      'group#1': [{ sortKey: 'c' }, storedPlant('fern')],
    });
    const entry = ['error', { event: 'damaged-items', count: 3 }];
    expect((await listOf(store, 2, {}, { log })).plants).toEqual([{ name: 'aloe' }, { name: 'fern' }]);
    await expect(listOf(store, 2, { maxBytes: 1 }, { log })).rejects.toThrow(tooLarge);
    expect(log.entries).toEqual([entry, entry]);
  });

  it('has eight reads in flight, and starts the next when one ends', async () => {
    const reads: PromiseWithResolvers<ReadResult>[] = [];
    const read = () => {
      reads.push(Promise.withResolvers<ReadResult>());
      return reads.at(-1)?.promise ?? Promise.reject(new Error());
    };
    const list = listOf({ read }, 10, {});
    for (const ended of [0, 1, 2, 3]) {
      expect(reads).toHaveLength(Math.min(8 + ended, 10));
      reads[ended]?.resolve({ plants: [], damaged: 0 });
      await nextTurn();
    }
    for (const { resolve } of reads) resolve({ plants: [], damaged: 0 });
    expect((await list).plants).toEqual([]);
  });

  it('aborts the other reads when one fails, and fails with its error', async () => {
    const ended: string[] = [];
    const hanging = hangingPlantStore((principal) => ended.push(principal));
    const failure = new ServiceError(catalogue.storeUnavailable);
    const store: PlantStore = {
      read: (query, signal) =>
        query.principal === 'group#0' ? Promise.reject(failure) : hanging.read(query, signal),
    };
    await expect(listOf(store, 2, {})).rejects.toBe(failure);
    expect(ended).toEqual(['group#1']);
  });
});

describe('a list that is too large', () => {
  it('is refused, and no other list, in whichever order responses arrive, if copies are equal', async () => {
    const seen = { lists: 0, refusals: 0 };
    const equalCopies = worlds((index) => 'x'.repeat(index % 100));
    const sizes = fc.integer({ min: 20 * mostPlantBytes, max: 12_000 });
    await fc.assert(
      fc.asyncProperty(equalCopies, sizes, fc.scheduler(), async (given, maxBytes, scheduler) => {
        // One DynamoDB response always fits.
        const world = { ...given, limit: 1000, pageSize: 20 };
        const page = expectedPage(world);
        const isTooLarge = bytesOf(page) > maxBytes;
        const { outcome } = await listWorld(world, scheduler, maxBytes);
        expect(outcome).toEqual(isTooLarge ? { error: tooLarge } : page);
        seen[isTooLarge ? 'refusals' : 'lists'] += 1;
      }),
      { numRuns: 200 },
    );
    // The generator must make many of both.
    expect(Math.min(seen.lists, seen.refusals)).toBeGreaterThan(30);
  });

  it.each([250_000, noLimit - 1])(
    'is refused as soon as the plants in memory exceed a response, with limit %i',
    async (limit) => {
      // Names of 12 bytes, which no other principal has.
      const plantsOf = (principal: string): readonly StoredPlant[] =>
        Array.from({ length: 14_000 }, (_, index) =>
          storedPlant(`${String(index).padStart(5, '0')}${principal.padStart(7, ' ').slice(-7)}`),
        );
      const store = watched({
        read: ({ principal }) => Promise.resolve({ plants: plantsOf(principal), damaged: 0 }),
      });
      await expect(listOf(store, 100, { limit, maxBytes: maxResponseBytes })).rejects.toThrow(tooLarge);
      // 17 principals have more than the 224,694 plants of a response. Seven more reads are in flight.
      expect(store.reads.length).toBeLessThanOrEqual(17 + 7);
    },
  );
});
