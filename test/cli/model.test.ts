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

// Few principals, ids and names, so that commands affect the same plants.
const holders = ['user#ann', 'group#ann', 'user#bob'] as const;
const ids = ['a', 'ab', 'é'] as const;
const holder = fc.constantFrom(...holders);
const id = fc.constantFrom(...ids);
// UTF-16 order would swap the last two names.
const name = fc.constantFrom('Rose', 'Ros', 'a,"b"\n', '\uffee', '\u{1f335}');
const row = fc.tuple(plantArbitrary, id, name).map(([plant, id, name]) => ({ ...plant, id, name }));
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 4 });
const holderOrEveryone = fc.constantFrom(...holders, 'everyone' as const);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ command: fc.constant('import'), rows, to: holder, replace: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ command: fc.constant('grant'), id, from: holder, to: holder }) },
  { weight: 3, arbitrary: fc.record({ command: fc.constant('revoke'), id, from: holderOrEveryone }) },
  { weight: 1, arbitrary: fc.record({ command: fc.constant('revoke --all'), from: holder }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What each principal has, by id. */
type Model = Record<(typeof holders)[number], Map<string, IdentifiedPlant>>;

/** Applies a step to the model. Returns whether the command must refuse it. */
const applyTo = (model: Model, step: Step): boolean => {
  switch (step.command) {
    case 'import': {
      if (step.rows.length === 0) return true;
      if (step.replace) model[step.to].clear();
      for (const plant of step.rows) model[step.to].set(plant.id, plant);
      return false;
    }
    case 'grant': {
      const plant = model[step.from].get(step.id);
      if (plant !== undefined) model[step.to].set(step.id, plant);
      return plant === undefined;
    }
    case 'revoke': {
      const losers = step.from === 'everyone' ? holders : [step.from];
      return !losers.map((principal) => model[principal].delete(step.id)).includes(true);
    }
    case 'revoke --all': {
      model[step.from].clear();
      return false;
    }
  }
};

/** Runs a step as a command. Principals and ids contain `runId`, so that runs share no item. */
const run = async (step: Step, runId: string): Promise<void> => {
  const table = store.name;
  const own = (principal: Principal): Principal => `${principal}${runId}`;
  switch (step.command) {
    case 'import': {
      const lines = step.rows.map(
        ({ id, ...fields }) => `${JSON.stringify({ id: `${runId}${id}`, ...fields })}\n`,
      );
      const path = store.file('rows.ndjson', lines.join(''));
      return importPlants(path, { table, to: own(step.to), replace: step.replace }, silent);
    }
    case 'grant':
      return grant(`${runId}${step.id}`, { table, from: own(step.from), to: own(step.to) }, silent);
    case 'revoke': {
      const from = step.from === 'everyone' ? step.from : own(step.from);
      return revoke(`${runId}${step.id}`, { table, from }, silent);
    }
    case 'revoke --all':
      return revoke(undefined, { table, from: own(step.from), all: true }, silent);
  }
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
it('after any commands, list prints the plants that the model has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10, size: 'max' }), async (steps) => {
      const runId = randomUUID();
      const model: Model = { 'user#ann': new Map(), 'group#ann': new Map(), 'user#bob': new Map() };
      for (const step of steps) {
        const mustBeRefused = applyTo(model, step);
        if (mustBeRefused) await expect(run(step, runId)).rejects.toThrow(UserError);
        else await run(step, runId);
        for (const principal of holders) {
          const plants = [...model[principal].values()].toSorted((a, b) =>
            compareUtf8(sortKeyOf(a), sortKeyOf(b)),
          );
          expect(await listedFor(undefined, `${principal}${runId}`, runId)).toEqual(plants);
        }
      }
      for (const id of ids) {
        const grants = holders.toSorted().flatMap((principal) => {
          const plant = model[principal].get(id);
          return plant === undefined ? [] : [{ who: principal.replace('#', ':'), ...plant }];
        });
        expect(await listedFor(`${runId}${id}`, undefined, runId)).toEqual(grants);
      }
    }),
    { numRuns: 20 },
  );
}, 300_000);
