import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemOf } from '../../../table/item.ts';
import type { Principal } from '../../../table/principal.ts';
import { generatedPlants, ndjson } from '../../support/generated-plants.ts';
import { plants, plantsCommand, type TestTable, testTable } from '../../support/plants-command.ts';
import { withWatchedStore } from '../../support/store-proxy.ts';

let table: TestTable;
let old: TestTable;
beforeAll(async () => {
  [table, old] = [await testTable(), await testTable({ hasIndex: false })];
  for (const each of [table, old]) await each.put([itemOf('user#alice', { id: 'a1', name: 'Aloe' })]);
});
afterAll(() => {
  table.close();
  old.close();
});

const run = (...parameters: readonly string[]) => plants([...parameters, ...table.options]);

describe('plants who', () => {
  it('prints everybody who has the plant and its name there, whatever the names are', async () => {
    const owners: readonly (readonly [Principal, string])[] = [
      ['group#gar#den:ers', 'Rose\nof two lines'],
      ['user#a\u001b[2J', 'Rosa'],
      ['user#bob', 'Rose'],
      ['user#bob', '🌹'],
    ];
    await table.put(owners.map(([principal, name]) => itemOf(principal, { id: 'w', name })));
    const { code, output, messages } = await run('who', 'w');
    expect(output.trimEnd().split('\n').sort()).toEqual(
      [
        'group:gar#den:ers\tRose\u{fffd}of two lines',
        'user:a\u{fffd}[2J\tRosa',
        'user:bob\tRose',
        'user:bob\t🌹',
      ].sort(),
    );
    expect({ code, messages }).toEqual({ code: 0, messages: ['4 grants.'] });
  });

  it('says when nobody has it', async () => {
    const { code, output, messages } = await run('who', 'w0');
    expect({ code, output, messages }).toEqual({
      code: 1,
      output: '',
      messages: [expect.stringMatching(/^Nobody has\b/)],
    });
  });
});

describe('a command that finds a plant by its id', () => {
  it('reads no more of a large table than the grants of the plant', async () => {
    const large = generatedPlants(20_000);
    const input = ndjson([...large, { id: 'few', name: 'Rare' }]);
    await plants(['import', '-', '--format', 'ndjson', '--to', 'user:large', ...table.options], { input });
    for (const parameters of [
      ['who', 'few'],
      ['grant', 'few', '--to', 'user:two'],
      ['remove', 'few'],
    ])
      await withWatchedStore(table.endpoint, {}, async ({ endpoint, requests, units }) => {
        const { code } = await plants([...parameters, '--table', table.name, '--endpoint', endpoint]);
        expect({ parameters, code }).toEqual({ parameters, code: 0 });
        expect(units()).toBeLessThan(10);
        expect(requests.length).toBeLessThan(10);
      });
  });
});

describe('a table without the index', () => {
  const without = (parameters: readonly string[], input = '') =>
    plants([...parameters, ...old.options], { input });

  it('is loaded, listed and exported, and its plants are revoked and granted with --from', async () => {
    const row = ndjson([{ id: 'b1', name: 'Basil' }]);
    expect((await without(['import', '-', '--format', 'ndjson', '--to', 'user:bob'], row)).code).toBe(0);
    expect((await without(['list'])).output).toMatch(/^user:bob +b1 +Basil$/m);
    expect((await without(['grant', 'b1', '--from', 'user:bob', '--to', 'user:carol'])).code).toBe(0);
    expect((await without(['revoke', 'b1', '--from', 'user:bob'])).code).toBe(0);
    expect((await without(['export', '--from', 'user:carol'])).output).toBe(row);
    await old.put([itemOf('user#dave', { id: 'b1', name: 'Thyme' })]);
    const second = await without(['grant', 'b1', '--from', 'user:carol', '--to', 'user:dave']);
    expect([second.code, second.messages[0]]).toEqual([
      1,
      expect.stringMatching(/another plant with this id/),
    ]);
  });

  it.for([
    ['who', 'a1'],
    ['grant', 'a1', '--to', 'user:bob'],
    ['remove', 'a1'],
  ])('is said to lack it by %s, with what deploys it', async (parameters) => {
    const before = await old.content();
    const { code, output, messages } = await without(parameters);
    expect({ code, output, messages }).toEqual({
      code: 1,
      output: '',
      messages: [expect.stringMatching(/\bno index by-plant\b.*npm run deploy\b/)],
    });
    expect(await old.content()).toEqual(before);
  });

  it('is a finding of check', async () => {
    const { code, output } = await without(['check']);
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`^${old.name}\t\tno index$`, 'm'));
  });
});

describe('a reader that closes the pipe', () => {
  const commands = [
    ['list'],
    ['list', '--from', 'user:pipe'],
    ['export', '--from', 'user:pipe'],
    ['who', 'p'],
    ['check', '--show'],
  ];
  beforeAll(async () => {
    await table.put(
      Array.from({ length: 3000 }, (_each, index) => ({
        principal: { S: index < 1500 ? 'user#pipe' : `user#pipe${String(index)}` },
        sortKey: { S: `${String(index).padStart(600, 'x')}\u0000p` },
        plantId: { S: 'p' },
        name: { S: String(index).padStart(600, 'x') },
      })),
    );
  });

  it.for(commands.flatMap((each) => ['head -n 1', 'true'].map((reader) => [each, reader] as const)))(
    'ends %j | %s without a stack trace',
    async ([parameters, reader]) => {
      const words = [...plantsCommand, ...parameters, ...table.options].map((word) => `'${word}'`);
      const script = `{ ${words.join(' ')}; echo "code $?" >&2; } | ${reader}`;
      const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script]);
      expect(stdout.split('\n')).toHaveLength(reader === 'true' ? 1 : 2);
      const [check] = parameters;
      if (check === 'check') expect(stderr).toMatch(/^.* closed before .*\ncode 1\n$/);
      else expect(stderr).toBe('code 0\n');
    },
  );
});
