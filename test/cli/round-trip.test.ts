import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importPlants, revoke } from '../../cli/commands.ts';
import { itemOf } from '../../table/item.ts';
import { keyProblem } from '../../table/sort-key.ts';
import type { IdentifiedPlant } from '../../table/plant.ts';
import { shortTexts } from '../support/table/field-samples.ts';
import { plantArbitrary } from '../support/table/plants.ts';
import { testTable } from './plants-command.ts';

const store = await testTable();

const ids = shortTexts.filter((text) => text !== '');
const plant = fc.tuple(plantArbitrary, ids).map(([fields, id]): IdentifiedPlant => ({ ...fields, id }));
/** Plants of a principal, with different ids. */
const plants = fc.uniqueArray(plant, { selector: ({ id }) => id, minLength: 1, maxLength: 8 });

it('import restores each plant exactly from what revoke printed, as NDJSON and JSON', async () => {
  await fc.assert(
    fc.asyncProperty(plants, async (candidates) => {
      const owner = `user#${randomUUID()}` as const;
      const storable = candidates.filter((each) => keyProblem(each) === undefined);
      fc.pre(storable.length > 0);
      await store.put(storable.map((each) => itemOf(owner, each)));
      const before = await store.content();
      for (const format of ['ndjson', 'json']) {
        let printed = '';
        const print = (lines: string): void => {
          printed += lines;
        };
        const options = { table: store.name, from: owner, all: true };
        await revoke(undefined, options, { print, say: () => undefined });
        expect(await store.list(owner)).toEqual([]);
        const content = format === 'ndjson' ? printed : `[${printed.trimEnd().split('\n').join(',')}]`;
        const path = store.file(`printed.${format}`, content);
        await importPlants(path, { table: store.name, to: owner }, { print, say: () => undefined });
        expect(await store.content()).toEqual(before);
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);
