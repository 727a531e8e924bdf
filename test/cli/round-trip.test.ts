import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importPlants, revoke } from '../../cli/commands.ts';
import { optionalFields } from '../../table/fields.ts';
import { itemOf, parseItem } from '../../table/item.ts';
import { testTable } from './plants-command.ts';

const store = await testTable();

// Texts that a file, a terminal or a reader could change.
const parts = [' ', '\t', '\r', '\n', '\0', '\u001a', '\u009b', '\u0085', '\u2028', '\u202e', '\u00a0'];
const moreParts = ['\ufeff', '\uffff', '"', '""', ',', '\\', '\\u0041', 'é', '🌵', 'null', '#', 'user:'];
const part = fc.oneof(fc.constantFrom(...parts, ...moreParts), fc.string({ unit: 'binary', maxLength: 3 }));
const text = fc.array(part, { maxLength: 5 }).map((each) => each.join(''));
const plant = fc.record(
  { id: text, name: text, ...Object.fromEntries(optionalFields.map(({ field }) => [field, text])) },
  { requiredKeys: ['id', 'name'] },
);
/** Plants of a principal, each with another id. */
const plants = fc.uniqueArray(plant, { selector: ({ id }) => id, minLength: 1, maxLength: 8 });

it('import restores each plant exactly from what revoke printed, as NDJSON and JSON', async () => {
  await fc.assert(
    fc.asyncProperty(plants, async (candidates) => {
      const owner = `user#${randomUUID()}` as const;
      const items = candidates.map((each) => itemOf(owner, each));
      const listed = items.filter((item) => parseItem(item) !== undefined);
      fc.pre(listed.length > 0);
      await store.put(listed);
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
