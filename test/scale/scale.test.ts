import { describe, expect, it } from 'vitest';
import { listPlants } from '../../functions/list-plants/list-plants.ts';
import { principalOf } from '../../table/principal.ts';
import { largePlantStore } from '../support/large-plant-store.ts';
import { readDocument } from '../support/markdown.ts';
import { recordingLog } from '../support/recording-log.ts';
import { costOf, monthOf, sumOf } from './cost.ts';
import { withFigures } from './document.ts';
import { figuresOf } from './figures.ts';
import { readInputs } from './inputs.ts';
import { largestStep } from './load.ts';
import { tiered } from './limits.ts';
import { inputSentences, readMeasured } from './measured.ts';
import { itemBytes, listUnits, pagedUnits, queryUnits } from './reads.ts';

const scale = readDocument('docs/scale.md');
const inputs = readInputs(scale);

describe('docs/scale.md', () => {
  it.each(Object.entries(figuresOf(inputs)))(
    'has inputs from which every number in %s follows (node test/scale/write.ts writes them)',
    async (file, figures) => {
      const text = readDocument(file);
      expect(await withFigures(text, figures)).toBe(text);
    },
  );

  it('has as inputs what prod deploys, and what the benchmark measured for it', async () => {
    const sentences = inputSentences(readMeasured());
    expect(await withFigures(scale, { tables: [], sentences })).toBe(scale);
  });

  it('has no table that is not calculated, except the inputs and the sources', () => {
    const headers = [...scale.matchAll(/^\| (.*) \|\n\| -/gm)].map(([, header = '']) =>
      header.replaceAll(/ +\| /g, ' | '),
    );
    const calculated =
      figuresOf(inputs)['docs/scale.md']?.tables.map(({ columns }) => columns.join(' | ')) ?? [];
    expect(
      headers
        .filter((header) => !calculated.some((columns) => header.startsWith(columns)))
        .map((header) => header.trim().split(' | ')[0]),
    ).toEqual(['fact', 'name', 'key']);
  });
});

describe('the calculation', () => {
  it('takes the times of the memory sizes that a stage deploys', () => {
    const figures = { coldMs: 97.4, warmMs: 3.21, billedMs: 3.7, largeMs: 41.6 };
    const share = {
      list: { 'plant-store': { '512': figures } },
      authorizer: { 'plant-store': { '256': figures } },
    };
    const stage = {
      listPlants: { memoryMb: 512 },
      authorizer: { memoryMb: 256 },
      authorizerCacheSeconds: 60,
      throttle: { rateLimit: 1000, burstLimit: 2000 },
    };
    expect(inputSentences({ share }, stage)).toEqual(
      expect.arrayContaining([
        '| A1 | warm list of 20 | 3.2 ms, billed 3.7 ms',
        '| warm list of 4,000, compressed | 42 ms',
        '| list function 97 ms, authorizer 97 ms',
      ]),
    );
    expect(() => inputSentences({ share }, { ...stage, listPlants: { memoryMb: 1024 } })).toThrow(
      'no figures of plant-store with 1024',
    );
  });

  it('rounds each principal’s Query up', () => {
    const { table, nameAttribute, plantIdAttribute } = itemBytes(inputs);
    const units = [
      table,
      table - nameAttribute,
      table - plantIdAttribute,
      table - plantIdAttribute - nameAttribute,
    ];
    expect(units.map((bytes) => listUnits(4000, 3, bytes))).toEqual([94.5, 83, 73.5, 63]);
    expect([1, 3].map((principals) => pagedUnits(4000, 1000, principals, table))).toEqual([96, 216]);
    expect(listUnits(0, 1, table)).toBe(0.5);
  });

  it.each([
    { limit: undefined, units: (principals: number, bytes: number) => listUnits(3000, principals, bytes) },
    { limit: 10, units: (principals: number, bytes: number) => pagedUnits(3000, 10, principals, bytes) },
    { limit: 1000, units: (principals: number, bytes: number) => pagedUnits(3000, 1000, principals, bytes) },
  ])('reads as much as the function with the limit $limit', async ({ limit, units }) => {
    const { table } = itemBytes(inputs);
    for (const count of [1, 3]) {
      const principals = Array.from({ length: count }, (_, index) => principalOf('group', String(index)));
      const store = largePlantStore({ principals, plants: 3000 / count, tagLength: 9, names: 'alternating' });
      let after: Parameters<typeof listPlants>[1]['after'];
      do {
        const query = { principals, limit, after, maxBytes: Infinity };
        after = (await listPlants({ store, log: recordingLog() }, query, new AbortController().signal)).next;
      } while (after !== undefined);
      const read = store.reads.reduce((sum, { returned }) => sum + queryUnits(returned, table), 0);
      expect(read, `${String(count)} principals`).toBe(units(count, table));
    }
  });

  it('ends a step from zero at the quota that both functions share, if it is not raised', () => {
    const { list, authorizer } = inputs;
    const slow = { ...inputs, list: { ...list, coldMs: 150 }, authorizer: { ...authorizer, coldMs: 100 } };
    expect(largestStep(slow, 'short')).toEqual({ default: 4000, raised: 6666 });
    const fast = { ...inputs, list: { ...list, coldMs: 20 }, authorizer: { ...authorizer, coldMs: 10 } };
    expect(largestStep(fast, 'short')).toEqual({ default: 5000, raised: 10_000 });
  });

  it('charges each tier its own price', () => {
    const tiers = [
      [10, 3],
      [30, 2],
      [Infinity, 1],
    ] as const;
    expect([5, 10, 20, 40].map((amount) => tiered(amount, tiers))).toEqual([15, 30, 50, 80]);
  });

  it('follows a changed input', async () => {
    const slower = readInputs(scale.replace(/(\| A1 .*billed )[\d.]+ ms/, '$160 ms'));
    const month = (of: typeof inputs): number => sumOf(costOf(of, monthOf(of, 1000, 'short')));
    expect(month(slower)).toBeGreaterThan(month(inputs));
    const figures = figuresOf(slower)['docs/scale.md'] ?? { tables: [], sentences: [] };
    expect(await withFigures(scale, figures)).not.toBe(scale);
  });

  it('refuses a document without a sentence or a table that it calculates', async () => {
    await expect(withFigures('Some text.', { tables: [], sentences: ['2 plants'] })).rejects.toThrow(
      'The document has 0 places for: 2 plants',
    );
    await expect(
      withFigures('Some text.', { tables: [{ columns: ['rps'], rows: [] }], sentences: [] }),
    ).rejects.toThrow('The document has 0 places for: rps');
    expect(() => readInputs('## 1. Inputs\n## 2. Rest')).toThrow('section 1: “list function” has no');
  });
});
