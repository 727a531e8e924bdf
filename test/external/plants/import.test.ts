import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ndjson } from '../../support/generated-plants.ts';
import { parsed, plants, type TestTable, testTable } from '../../support/plants-command.ts';

let table: TestTable;
beforeAll(async () => {
  table = await testTable();
});
afterAll(() => {
  table.close();
});

const written = (name: string, content: string): string => {
  const path = join(table.folder, name);
  writeFileSync(path, content);
  return path;
};
const exported = async (principal: string): Promise<readonly unknown[]> =>
  parsed((await plants(['export', '--from', principal, ...table.options])).output);

// Linux tells of the process alone; elsewhere it is what getrusage(2) knows.
const printPeakMemory = `
  import { existsSync, readFileSync } from 'node:fs';
  process.once('exit', () => {
    const own = existsSync('/proc/self/status') && /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
    console.error('peak ' + (own || process.resourceUsage().maxRSS) + ' kB');
  });
`;

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
      ...['import', written(name, content), '--to', `user:${kind}`],
      ...table.options,
    ]);
    expect({ code, output, messages }).toEqual({
      code: 0,
      output: '',
      messages: ['2 rows are in the table, 0 rows refused.'],
    });
    expect(await exported(`user:${kind}`)).toEqual([aloe, basil]);
  });

  it('loads what it exported, to the byte', async () => {
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
    const file = written('again.csv', 'id,name,tag\n1,Aloe,\n,Basil,herb\n,Basil,\n');
    const load = () => plants(['import', file, '--to', 'user:again', ...table.options]);
    await load();
    const first = await exported('user:again');
    const { messages } = await load();
    expect(messages).toEqual(['3 rows are in the table, 0 rows refused.']);
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
    const file = written('dry.csv', 'name\nAloe\n""\nBasil\n');
    const { code, messages } = await plants(['import', file, '--to', 'user:dry', '--dry-run']);
    expect(messages).toEqual(['Line 3 has no name.', '2 rows can be loaded, 1 row refused.']);
    expect(code).toBe(1);
  });

  it('counts the rows of JSON that share a line', async () => {
    const file = written(
      'line.json',
      '[{"id":"1","name":"Aloe"},{"name":""},\n{"id":"1","name":"Basil"},{}]',
    );
    const refusedFile = join(table.folder, 'elements.ndjson');
    const { messages } = await plants([
      ...['import', file, '--to', 'user:line', '--dry-run', '--refused', refusedFile],
    ]);
    expect(messages).toEqual([
      'Line 1, element 2 has an empty name.',
      'Line 2 has the id of line 1, element 1.',
      'Line 2, element 4 has no name.',
      '1 row can be loaded, 3 rows refused.',
    ]);
    expect(parsed(readFileSync(refusedFile, 'utf8'))[0]).toEqual({
      line: 1,
      element: 2,
      reason: 'has an empty name',
      row: { name: '' },
    });
  });

  it('stops at the first bad row with --strict', async () => {
    const file = written('strict.csv', 'name\nAloe\n"\nBasil\n');
    const { code, messages } = await plants([
      'import',
      file,
      '--to',
      'user:strict',
      '--strict',
      ...table.options,
    ]);
    expect(messages).toEqual([
      'Line 3 has a quote that is not closed.',
      expect.stringMatching(/^Stopped at line 3 \(--strict\): 1 row is in the table\./),
    ]);
    expect(code).toBe(1);
    expect(await table.namesOf('user#strict')).toEqual(['Aloe']);
  });

  it('prints the first twenty bad rows, and writes all of them to a file on request', async () => {
    const bad = Array.from({ length: 30 }, () => 'x,y');
    const file = written('bad.csv', ['name', ...bad, 'Aloe'].join('\n'));
    const refusedFile = join(table.folder, 'refused.ndjson');
    const { messages } = await plants([
      ...['import', file, '--to', 'user:bad', '--refused', refusedFile],
      ...table.options,
    ]);
    expect(messages).toHaveLength(22);
    expect(messages.at(20)).toBe('… and 10 more rows; --refused FILE writes them all to a file.');
    const refused = parsed(readFileSync(refusedFile, 'utf8'));
    expect(refused).toHaveLength(30);
    expect(refused[29]).toEqual({
      line: 31,
      reason: 'has too many columns',
      row: ['x', 'y'],
    });
  });

  it('does not write the refused rows over the file it reads', async () => {
    const file = written('same.csv', 'name\nAloe\n');
    const { code, messages } = await plants([
      ...['import', file, '--to', 'user:same', '--dry-run', '--refused', file],
    ]);
    expect(messages).toEqual([expect.stringContaining(file)]);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('name\nAloe\n');
  });

  it.skipIf(!existsSync('/dev/full'))('says so when the refused rows cannot be written', async () => {
    const file = written('full.csv', 'name,tag\nAloe\n');
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
      expect.stringMatching(/^Line 2 has too few columns/),
      expect.stringContaining('ENOSPC'),
    ]);
    expect(code).toBe(1);
  });

  it('takes less than 200 MB for a million rows', async () => {
    const rows = Array.from(
      { length: 1_000_000 },
      (_each, index) => `${String(index)},"Plant ${String(index)}",tree\n`,
    );
    const file = written('million.csv', `id,name,tag\n${rows.join('')}`);
    const { code, messages } = await plants(['import', file, '--to', 'user:dry', '--dry-run'], {
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printPeakMemory)}` },
    });
    expect(messages.at(-2)).toBe('1,000,000 rows can be loaded, 0 rows refused.');
    expect(messages.filter((line) => /^[1-9]0 %: /.test(line))).toHaveLength(9);
    expect(code).toBe(0);
    const [, kilobytes] = /^peak (\d+) kB$/.exec(messages.at(-1) ?? '') ?? [];
    expect(Number(kilobytes)).toBeLessThan(200_000);
  });
});

describe('plants', () => {
  it.for([
    ['a command', ['imprt'], /Did you mean import\?/],
    ['an option', ['import', 'x.csv', '--to', 'user:a', '--dry-rn'], /Did you mean --dry-run\?/],
  ] as const)('suggests the right name for %s', async ([, parameters, suggestion]) => {
    const { code, output, messages } = await plants(parameters);
    expect(messages.join('\n')).toMatch(suggestion);
    expect({ code, output }).toEqual({ code: 1, output: '' });
  });

  it.for(['alice', 'user:', 'role:alice', `user:${'é'.repeat(128)}`])(
    'says how to write a user or group instead of %s',
    async (principal) => {
      const { code, messages } = await plants(['list', '--from', principal]);
      expect(messages[0]).toMatch(/Write user:NAME or group:NAME, with a name of 1 to 255 bytes\.$/);
      expect(code).toBe(1);
    },
  );
});
