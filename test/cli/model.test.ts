import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { grant, importPlants, revoke } from '../../cli/commands.ts';
import type { IdentifiedPlant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import { sortKeyOf } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/order.ts';
import { UserError } from '../../terminal/user-error.ts';
import { plantArbitrary } from '../support/table/plants.ts';
import { testTable } from './plants-command.ts';

const store = await testTable();

const silent = { print: () => undefined, say: () => undefined };

// Few of each, so that commands affect the same plants. UTF-16 order swaps the last two names.
const holders = ['user#ann', 'group#ann', 'user#bob'] as const;
const ids = ['a', 'ab', 'é'] as const;
const holder = fc.constantFrom(...holders);
const id = fc.constantFrom(...ids);
const name = fc.constantFrom('Rose', 'Ros', 'a,"b"\n', '\uffee', '\u{1f335}');
const row = fc.tuple(plantArbitrary, id, name).map(([plant, id, name]) => ({ ...plant, id, name }));
const rows = fc.uniqueArray(row, { selector: (each) => each.id, maxLength: 4 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ rows, to: holder, replace: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ id, from: holder, to: holder }) },
  { weight: 3, arbitrary: fc.record({ id, from: fc.constantFrom(...holders, 'everyone' as const) }) },
  { weight: 1, arbitrary: fc.record({ from: holder }) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** What each principal has, by id. */
type Model = Record<(typeof holders)[number], Map<string, IdentifiedPlant>>;

/** Applies a step to the model. Returns whether the command must refuse it. */
const applyTo = (model: Model, each: Step): boolean => {
  if ('rows' in each) {
    if (each.rows.length === 0) return true;
    if (each.replace) model[each.to].clear();
    for (const plant of each.rows) model[each.to].set(plant.id, plant);
    return false;
  }
  if ('to' in each) {
    const plant = model[each.from].get(each.id);
    if (plant !== undefined) model[each.to].set(each.id, plant);
    return plant === undefined;
  }
  if (!('id' in each)) {
    model[each.from].clear();
    return false;
  }
  const losers = each.from === 'everyone' ? holders : [each.from];
  return !losers.map((principal) => model[principal].delete(each.id)).includes(true);
};

/** Runs a step as a command. Principals and ids contain `runId`, so that runs share no item. */
const run = async (each: Step, runId: string): Promise<void> => {
  const table = store.name;
  const own = (principal: Principal): Principal => `${principal}${runId}`;
  if ('rows' in each) {
    const lines = each.rows.map(
      ({ id, ...fields }) => `${JSON.stringify({ id: `${runId}${id}`, ...fields })}\n`,
    );
    const path = store.file('rows.ndjson', lines.join(''));
    await importPlants(path, { table, to: own(each.to), replace: each.replace }, silent);
  } else if ('to' in each)
    await grant(`${runId}${each.id}`, { table, from: own(each.from), to: own(each.to) }, silent);
  else if ('id' in each)
    await revoke(
      `${runId}${each.id}`,
      { table, from: each.from === 'everyone' ? each.from : own(each.from) },
      silent,
    );
  else await revoke(undefined, { table, from: own(each.from), all: true }, silent);
};

/** What list prints, without the id of the run. */
const listedFor = async (
  id: string | undefined,
  from: Principal | undefined,
  runId: string,
): Promise<unknown> => {
  const lines = await store.list(from, id).catch((error: unknown): readonly string[] => {
    if (error instanceof UserError) return [];
    throw error;
  });
  return lines.map((line): unknown => JSON.parse(line.replaceAll(runId, '')));
};

// plant-row.test.ts checks that GET /plants shows what import stores.
it('after any commands, list prints the plants that a model has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10, size: 'max' }), async (steps) => {
      const runId = randomUUID();
      const model: Model = { 'user#ann': new Map(), 'group#ann': new Map(), 'user#bob': new Map() };
      for (const each of steps) {
        const mustBeRefused = applyTo(model, each);
        if (mustBeRefused) await expect(run(each, runId)).rejects.toThrow(UserError);
        else await run(each, runId);
        for (const principal of holders) {
          const plants = [...model[principal].values()].toSorted((a, b) =>
            compareUtf8(sortKeyOf(a), sortKeyOf(b)),
          );
          expect(await listedFor(undefined, `${principal}${runId}`, runId)).toEqual(plants);
        }
      }
      for (const each of ids) {
        const grants = holders.toSorted().flatMap((principal) => {
          const plant = model[principal].get(each);
          return plant === undefined ? [] : [{ who: principal.replace('#', ':'), ...plant }];
        });
        expect(await listedFor(`${runId}${each}`, undefined, runId)).toEqual(grants);
      }
    }),
    { numRuns: 20 },
  );
}, 300_000);
