import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemOf } from '../../../table/item.ts';
import { generatedPlants, ndjson } from '../../support/generated-plants.ts';
import { killAtRandomMoments } from '../../support/killed-command.ts';
import { parsed, plants, startPlants, type TestTable, testTable } from '../../support/plants-command.ts';
import { withWatchedStore } from '../../support/store-proxy.ts';

let table: TestTable;
beforeAll(async () => {
  table = await testTable();
});
afterAll(() => {
  table.close();
});

const exportOf = async (name: string): Promise<string> =>
  (await plants(['export', '--from', `user:${name}`, ...table.options])).output;
const replace = (name: string, file: string, ...options: readonly string[]) =>
  plants(['import', file, '--to', `user:${name}`, '--replace', ...options, ...table.options]);

const [aloe, basil, clover, dill] = [
  { id: '1', name: 'Aloe', tag: 'fern' },
  { id: '2', name: 'Basil' },
  { id: '3', name: 'Clover', tag: 'herb' },
  { id: '4', name: 'Dill' },
] as const;
const putOld = (name: string) =>
  table.put([
    ...[aloe, basil, clover].map((plant) => itemOf(`user#${name}`, plant)),
    itemOf('user#other', aloe),
  ]);

describe('plants import --replace', () => {
  it('counts with --dry-run and changes nothing; then makes the plants those of the file; then has nothing to do', async () => {
    await putOld('exact');
    const before = await table.content();
    const wanted = [aloe, { ...basil, tag: 'herb' }, { ...clover, name: 'Klee' }, dill];
    const file = table.file('exact.ndjson', ndjson(wanted));
    const counts = '2 plants added, 1 changed, 1 removed';
    const dry = await replace('exact', file, '--dry-run');
    expect([dry.code, dry.messages]).toEqual([0, [expect.stringContaining(counts)]]);
    expect(await table.content()).toEqual(before);

    const { code, messages } = await replace('exact', file);
    expect([code, messages]).toEqual([0, [expect.stringMatching(`^${counts}, 0 rows refused`)]]);
    expect(await exportOf('exact')).toBe(
      ndjson([wanted[0], wanted[1], dill, wanted[2]].flatMap((each) => each ?? [])),
    );
    expect(await exportOf('other')).toBe(ndjson([aloe]));
    expect((await replace('exact', file)).messages).toEqual([
      expect.stringMatching(/^0 plants added, 0 changed, 0 removed/),
    ]);
  });

  it.for([
    ['a file that breaks off', 'cut.json', `[${JSON.stringify(aloe)},${JSON.stringify(dill)},{"id":`, []],
    ['a refused row', 'bad.ndjson', `${ndjson([aloe, dill])}{"name":""}\n`, []],
    [
      '--strict',
      'strict.ndjson',
      `${ndjson([aloe, dill])}{"name":""}\n${ndjson([{ name: 'Later' }])}`,
      ['--strict'],
    ],
    [
      'refused rows on a full disk',
      'full.ndjson',
      `${ndjson([aloe, dill])}{"name":""}\n`,
      ['--refused', '/dev/full'],
    ],
  ] as const)('removes nothing after %s, and says so', async ([kind, name, content, options]) => {
    await putOld(kind);
    const { code, messages } = await replace(kind, table.file(name, content), ...options);
    expect(code).toBe(1);
    expect(messages.at(-1)).toMatch(
      /1 plant added, 0 changed, 0 removed because not every row could be read/,
    );
    expect(await exportOf(kind)).toBe(ndjson([aloe, basil, clover, dill]));
  });

  it('changes nothing when it is interrupted while it reads', async () => {
    await putOld('reading');
    const before = await table.content();
    const { process: child, ended } = startPlants(
      ['import', '-', '--format', 'ndjson', '--to', 'user:reading', '--replace', ...table.options],
      { input: ndjson(generatedPlants(20_000)), staysOpen: true },
    );
    await setTimeout(2000);
    child.kill('SIGINT');
    const { code, messages } = await ended;
    expect([code, messages.at(-1)]).toEqual([
      130,
      expect.stringMatching(/^Interrupted: .*the same command again/),
    ]);
    expect(await table.content()).toEqual(before);
  });

  it('ends soon when it is interrupted while it writes; run again, it finishes', async () => {
    const file = table.file('many.ndjson', ndjson(generatedPlants(20_000)));
    const { process: child, ended } = startPlants([
      'import',
      file,
      '--to',
      'user:writing',
      '--replace',
      ...table.options,
    ]);
    while ((await table.namesOf('user#writing')).length === 0) await setTimeout(5);
    child.kill('SIGINT');
    const { code, messages } = await ended;
    const [, done = ''] =
      /^Interrupted: ([\d,]+) changes\b.*the same command again/.exec(messages.at(-1) ?? '') ?? [];
    const rows = parsed(await exportOf('writing')).length;
    expect([code, Number(done.replaceAll(',', ''))]).toEqual([130, rows]);
    expect(rows).toBeLessThan(20_000);
    expect((await replace('writing', file)).code).toBe(0);
    expect(await exportOf('writing')).toBe(ndjson(generatedPlants(20_000)));
  });

  it('killed at random moments leaves only plants of before and of the file; run again, only those of the file', async () => {
    const [before, after] = [generatedPlants(3000).slice(0, 2000), generatedPlants(3000).slice(1000)];
    await table.put(before.map((plant) => itemOf('user#killed', plant)));
    const file = table.file('killed.ndjson', ndjson(after));
    const both = new Set(generatedPlants(3000).map(({ name }) => name));
    const start = (name: string) =>
      startPlants(['import', file, '--to', `user:${name}`, '--replace', ...table.options]);
    await killAtRandomMoments(
      6,
      () => start('whole').ended,
      () => start('killed'),
      async () => {
        const names = new Set(await table.namesOf('user#killed'));
        expect(names.difference(both)).toEqual(new Set());
        // What both have is never gone.
        expect(new Set(before.slice(1000).map(({ name }) => name)).difference(names)).toEqual(new Set());
      },
    );
    expect((await replace('killed', file)).code).toBe(0);
    expect(await exportOf('killed')).toBe(ndjson(after));
  });

  it('says when another import put a plant meanwhile; run again, it removes it', async () => {
    await putOld('two');
    const file = table.file('two.ndjson', ndjson([aloe, dill]));
    const once = [itemOf('user#two', { id: '5', name: 'Elder' })];
    await withWatchedStore(
      table.endpoint,
      {
        before: async ({ operation }) =>
          operation === 'BatchWriteItem' ? table.put(once.splice(0)) : undefined,
      },
      async ({ endpoint }) => {
        const { code, messages } = await plants([
          ...['import', file, '--to', 'user:two', '--replace', '--table', table.name, '--endpoint', endpoint],
        ]);
        expect([code, messages.at(-1)]).toEqual([
          1,
          expect.stringMatching(/^Another command wrote\b.* meanwhile\b.*the same command again/),
        ]);
      },
    );
    expect((await replace('two', file)).messages).toEqual([
      expect.stringMatching(/^0 plants added, 0 changed, 1 removed/),
    ]);
    expect(await exportOf('two')).toBe(ndjson([aloe, dill]));
  });
});
