import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ndjson } from '../../support/generated-plants.ts';
import { peakMemory, printPeakMemory } from '../../support/peak-memory.ts';
import { parsed, plants, type TestTable, testTable } from '../../support/plants-command.ts';

let table: TestTable;
beforeAll(async () => {
  table = await testTable();
});
afterAll(() => {
  table.close();
});

const exported = async (principal: string): Promise<readonly unknown[]> =>
  parsed((await plants(['export', '--from', principal, ...table.options])).output);

const aloe = { id: 'a1', name: 'Aloe vera', tag: 'succulent' };
const basil = { id: 'a2', name: 'Basil' };

describe('plants import', () => {
  it.for([
    ['CSV', 'plants.csv', 'id,name,tag\na2,Basil,\na1,Aloe vera,succulent\n'],
    [
      'CSV with the columns in another order',
      'order.CSV',
      'Tag, Name ,ID\n,Basil,a2\nsucculent,Aloe vera,a1',
    ],
    ['a JSON array', 'plants.json', JSON.stringify([basil, aloe], null, 2)],
    ['NDJSON', 'plants.ndjson', ndjson([basil, aloe])],
  ] as const)('loads %s', async ([kind, name, content]) => {
    const { code, output, messages } = await plants([
      ...['import', table.file(name, content), '--to', `user:${kind}`],
      ...table.options,
    ]);
    expect({ code, output, messages }).toEqual({
      code: 0,
      output: '',
      messages: [expect.stringMatching(/^2 rows .*\b0 rows refused/)],
    });
    expect(await exported(`user:${kind}`)).toEqual([aloe, basil]);
  });

  it('loads what it exported without changing a byte', async () => {
    const content = ndjson([
      { id: 'x', name: '"quoted", \\ and\nof two lines', tag: '\u0001' },
      { id: 'é🌵 with spaces', name: '\u{ffff} before the next', tag: 't'.repeat(100_000) },
      { id: '-1', name: '\u{1f335}' },
    ]);
    await plants(['import', '-', '--format', 'ndjson', '--to', 'group:a#b:c', ...table.options], {
      input: content,
    });
    const { output } = await plants(['export', '--from', 'group:a#b:c', ...table.options]);
    expect(output).toBe(content);
  });

  it('does not load a file twice, with ids or without', async () => {
    const file = table.file('again.csv', 'id,name,tag\n1,Aloe,\n,Basil,herb\n,Basil,\n');
    const load = () => plants(['import', file, '--to', 'user:again', ...table.options]);
    await load();
    const first = await exported('user:again');
    const { messages } = await load();
    expect(messages).toEqual([expect.stringMatching(/^3 rows .*\b0 rows refused/)]);
    expect(first).toHaveLength(3);
    expect(await exported('user:again')).toEqual(first);
  });

  it('replaces the tag of a plant with the same name and id', async () => {
    for (const tag of ['herb', 'tree'])
      await plants(['import', '-', '--format', 'ndjson', '--to', 'user:tags', ...table.options], {
        input: ndjson([{ ...basil, tag }]),
      });
    expect(await exported('user:tags')).toEqual([{ ...basil, tag: 'tree' }]);
  });

  it('checks and counts with --dry-run, without a table', async () => {
    const file = table.file('dry.csv', 'name\nAloe\n""\nBasil\n');
    const { code, messages } = await plants(['import', file, '--to', 'user:dry', '--dry-run']);
    expect(messages).toEqual([
      expect.stringMatching(/^Line 3\b.*name/),
      expect.stringMatching(/^2 rows .*\b1 row refused/),
    ]);
    expect(code).toBe(1);
  });

  it('counts the rows of JSON that share a line', async () => {
    const file = table.file(
      'line.json',
      '[{"id":"1","name":"Aloe"},{"name":""},\n{"id":"1","name":"Basil"},{}]',
    );
    const refusedFile = join(table.folder, 'elements.ndjson');
    const { messages } = await plants([
      ...['import', file, '--to', 'user:line', '--dry-run', '--refused', refusedFile],
    ]);
    expect(messages).toEqual([
      expect.stringMatching(/^Line 1, element 2\b.*name/),
      expect.stringMatching(/^Line 2\b.*\bid\b.*line 1, element 1\b/),
      expect.stringMatching(/^Line 2, element 4\b.*name/),
      expect.stringMatching(/^1 row .*\b3 rows refused/),
    ]);
    const [refused] = parsed(readFileSync(refusedFile, 'utf8'));
    expect(refused).toMatchObject({ line: 1, element: 2, row: { name: '' } });
    expect(refused).toHaveProperty('reason', expect.stringContaining('name'));
  });

  it('stops at the first bad row with --strict', async () => {
    const file = table.file('strict.csv', 'name\nAloe\n"\nBasil\n');
    const { code, messages } = await plants([
      'import',
      file,
      '--to',
      'user:strict',
      '--strict',
      ...table.options,
    ]);
    expect(messages).toEqual([
      expect.stringMatching(/^Line 3\b.*quote/),
      expect.stringMatching(/line 3\b.*--strict.*\b1 row\b/),
    ]);
    expect(code).toBe(1);
    expect(await table.namesOf('user#strict')).toEqual(['Aloe']);
  });

  it('prints the first twenty bad rows, and writes all of them to a file on request', async () => {
    const bad = Array.from({ length: 30 }, () => 'x,y');
    const file = table.file('bad.csv', ['name', ...bad, 'Aloe'].join('\n'));
    const refusedFile = join(table.folder, 'refused.ndjson');
    const { messages } = await plants([
      ...['import', file, '--to', 'user:bad', '--refused', refusedFile],
      ...table.options,
    ]);
    expect(messages).toHaveLength(22);
    expect(messages.at(20)).toMatch(/\b10 more rows.*--refused FILE/);
    const refused = parsed(readFileSync(refusedFile, 'utf8'));
    expect(refused).toHaveLength(30);
    expect(refused[29]).toMatchObject({ line: 31, row: ['x', 'y'] });
    expect(refused[29]).toHaveProperty('reason', expect.stringMatching(/\b2 columns\b.*\b1\b/));
  });

  it('does not write the refused rows over the file it reads', async () => {
    const file = table.file('same.csv', 'name\nAloe\n');
    const { code, messages } = await plants([
      ...['import', file, '--to', 'user:same', '--dry-run', '--refused', file],
    ]);
    expect(messages).toEqual([expect.stringMatching(/same\.csv\b.*--refused/)]);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('name\nAloe\n');
  });

  it.skipIf(!existsSync('/dev/full'))('says so when the refused rows cannot be written', async () => {
    const file = table.file('full.csv', 'name,tag\nAloe\n');
    const { code, messages } = await plants([
      'import',
      file,
      '--to',
      'user:full',
      '--dry-run',
      '--refused',
      '/dev/full',
    ]);
    expect(messages).toEqual([
      expect.stringMatching(/^Line 2 has 1 column/),
      expect.stringContaining('ENOSPC'),
    ]);
    expect(code).toBe(1);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'counts what it loaded when the disk is full for the refused rows',
    async () => {
      const file = table.file('disk.ndjson', ndjson([aloe, { name: '' }, basil]));
      const { code, messages } = await plants([
        ...['import', file, '--to', 'user:disk', '--refused', '/dev/full'],
        ...table.options,
      ]);
      expect([code, messages]).toEqual([
        1,
        [
          expect.stringMatching(/^Line 2\b/),
          expect.stringMatching(/ENOSPC.* At least [12] rows? (?:is|are) in /),
        ],
      ]);
      const [, loaded] = /At least (\d)/.exec(messages.join('\n')) ?? [];
      expect(await exported('user:disk')).toHaveLength(Number(loaded));
    },
  );

  it('takes less than 200 MB for a million rows', async () => {
    const rows = Array.from(
      { length: 1_000_000 },
      (_each, index) => `${String(index)},"Plant ${String(index)}",tree\n`,
    );
    const file = table.file('million.csv', `id,name,tag\n${rows.join('')}`);
    const { code, messages } = await plants(['import', file, '--to', 'user:dry', '--dry-run'], {
      env: printPeakMemory,
    });
    expect(messages.at(-2)).toMatch(/^1,000,000 rows .*\b0 rows refused/);
    expect(messages.filter((line) => /^[1-9]0 %: /.test(line))).toHaveLength(9);
    expect(code).toBe(0);
    expect(peakMemory(messages)).toBeLessThan(200_000);
  });
});

describe('plants', () => {
  it.for([
    ['a command', ['imprt'], /\bimport\b/],
    ['an option', ['import', 'x.csv', '--to', 'user:a', '--dry-rn'], /--dry-run\b/],
  ] as const)('suggests the right name for %s', async ([, parameters, suggestion]) => {
    const { code, output, messages } = await plants(parameters);
    expect(messages.join('\n')).toMatch(suggestion);
    expect({ code, output }).toEqual({ code: 1, output: '' });
  });

  it.for(['alice', 'user:', 'role:alice', `user:${'é'.repeat(128)}`])(
    'says how to write a user or group instead of %s',
    async (principal) => {
      const { code, messages } = await plants(['list', '--from', principal]);
      expect(messages[0]).toMatch(/user:NAME or group:NAME.* 1 to 255 bytes/);
      expect(code).toBe(1);
    },
  );
});
