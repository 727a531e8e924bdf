import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plants, startPlants, type TestTable, testTable } from '../../support/plants-command.ts';
import { peakMemory, printPeakMemory } from '../../support/peak-memory.ts';

const amount = 400_000;
const limitKilobytes = 200_000;
let table: TestTable;
beforeAll(async () => {
  table = await testTable();
  const { process: child, ended } = startPlants(
    ['import', '-', '--format', 'csv', '--to', 'user:large', ...table.options],
    { staysOpen: true },
  );
  child.stdin?.write('id,name,tag\n');
  for (let start = 0; start < amount; start += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_each, index) => start + index);
    child.stdin?.write(rows.map((row) => `${String(row)},Plant ${String(row)},tree\n`).join(''));
  }
  child.stdin?.end();
  expect((await ended).code).toBe(0);
}, 900_000);
afterAll(() => {
  table.close();
});

const parameters = (command: readonly string[]) => [...command, ...table.options];
const fast = ['--read-units', '1000000'];

describe('400,000 plants of one user', () => {
  it.for([
    [['list', '--from', 'user:large']],
    [['export', '--from', 'user:large']],
    [['check', ...fast]],
    [['grant', '7', '--to', 'user:two', '--from', 'user:large']],
  ] as const)('take less than 200 MB in %j', { timeout: 600_000 }, async ([command]) => {
    const { code, messages } = await plants(parameters(command), { env: printPeakMemory });
    expect({ code, messages }).toMatchObject({ code: 0 });
    expect(peakMemory(messages)).toBeLessThan(limitKilobytes);
    const isWhole = command[0] === 'check' || command[0] === 'export';
    if (isWhole) expect(messages.filter((line) => /^\d+,\d+ rows, /.test(line)).length).toBeGreaterThan(4);
  });

  it('take less than 200 MB in restore --dry-run', { timeout: 600_000 }, async () => {
    const other = await testTable();
    try {
      await other.put([{ principal: { S: 'user#large' }, sortKey: { S: 'Plant 7\u00007' } }]);
      const command = ['restore', '--from-table', table.name, '--dry-run', ...fast];
      const { code, messages } = await plants([...command, ...other.options], { env: printPeakMemory });
      expect([code, messages.at(-2)]).toEqual([0, '399,999 missing, 1 different, 0 extra.']);
      expect(peakMemory(messages)).toBeLessThan(limitKilobytes);
    } finally {
      other.close();
    }
  });

  it(
    'are revoked page by page: Ctrl-C keeps what is done, and the same command does the rest',
    { timeout: 900_000 },
    async () => {
      const revoke = parameters(['revoke', '--all', '--from', 'user:large']);
      const { process: child, ended } = startPlants(revoke, { env: printPeakMemory });
      const first = (await table.namesOf('user#large'))[0];
      while ((await table.namesOf('user#large'))[0] === first) await setTimeout(50);
      child.kill('SIGINT');
      const { code, messages } = await ended;
      expect(code).toBe(130);
      const [, done = ''] =
        /Interrupted: ([\d,]+) plants revoked\. Run the same command again\./.exec(messages.join('\n')) ?? [];
      const revoked = Number(done.replaceAll(',', ''));
      expect(revoked).toBeGreaterThan(0);

      const again = await plants(revoke, { env: printPeakMemory });
      expect([again.code, again.messages.at(-2)]).toEqual([
        0,
        `${(amount - revoked).toLocaleString('en')} plants revoked.`,
      ]);
      expect(peakMemory(again.messages)).toBeLessThan(limitKilobytes);
      expect(await table.namesOf('user#large')).toEqual([]);
    },
  );
});
