import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemOf } from '../../../table/item.ts';
import type { Principal } from '../../../table/principal.ts';
import { ndjson } from '../../support/generated-plants.ts';
import { pasted, plants, type TestTable, testTable } from '../../support/plants-command.ts';

let table: TestTable;
beforeAll(async () => {
  table = await testTable();
});
afterAll(() => {
  table.close();
});

/** The table's options come before the id that follows a `--`. */
const run = ([command = '', ...parameters]: readonly string[]) =>
  plants([command, ...table.options, ...parameters]);
const put = (principal: Principal, id: string, ...names: readonly string[]) =>
  table.put(names.map((name) => itemOf(principal, { id, name })));
const importInto = (principal: string, ...rows: readonly object[]) =>
  plants(['import', '-', '--format', 'ndjson', '--to', principal, ...table.options], { input: ndjson(rows) });

/** A command that must change nothing. @returns the commands that it prints */
const refused = async (problem: RegExp, ...parameters: readonly string[]): Promise<readonly string[]> => {
  const before = await table.content();
  const { code, output, messages } = await run(parameters);
  const [first, ...commands] = messages;
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(first).toMatch(problem);
  for (const command of commands) expect(command).toMatch(/^npm run plants -- /);
  expect(await table.content()).toEqual(before);
  return commands;
};

/** The only one of several commands that matches. */
const that = (pattern: RegExp, commands: readonly string[]): string => {
  const [only = '', ...others] = commands.filter((command) => pattern.test(command));
  expect(others).toEqual([]);
  return only;
};

const composed = 'Caf\u00e9';
const decomposed = 'Cafe\u0301';
/** In the table's order. */
const nastyNames = [
  '\t\u001b[2J\u0007',
  ' ',
  '"; rm *; "',
  '$(id) `id` ${HOME}',
  "'",
  '--all',
  '-rf',
  'Rose\nof two lines\r',
  '\\n \\',
  decomposed,
  composed,
  '\u202egnp.exe',
  "it's !! not \u0001 '$1'",
  '🌹👩\u200d🌾',
].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe('an id with several names', () => {
  it('is not revoked; each command that is printed revokes the one that it names, whatever the name', async () => {
    await put('user#nasty', 'n', ...nastyNames);
    const commands = await refused(
      /^14 plants in --from have this id\b/,
      'revoke',
      'n',
      '--from',
      'user:nasty',
    );
    expect(commands).toHaveLength(nastyNames.length);
    for (const [index, command] of commands.entries()) {
      // Nothing in it moves the cursor, reverses text or is invisible.
      expect(command).not.toMatch(/\p{C}/u);
      expect(await pasted(command)).toMatchObject({ code: 0, messages: ['1 plant revoked.'] });
      expect(await table.namesOf('user#nasty')).toEqual(nastyNames.slice(index + 1));
    }
  });

  it.for(['-a', '--', '--from', "$(id) '\n"])(
    'is not granted or removed; the printed commands do it, with the id %j too',
    async (id) => {
      const names = ['-n', "it's"];
      await put(`user#has ${id}`, id, ...names);
      const to = `group:gets ${id}`;
      const grants = await refused(/^2 plants have this id\b/, 'grant', '--to', to, '--', id);
      expect((await pasted(that(/it'/, grants))).messages).toEqual(['Granted.']);
      expect(await table.namesOf(`group#gets ${id}`)).toEqual([names[1]]);
      await refused(/another plant with this id/, 'grant', '--name', '-n', '--to', to, '--', id);

      const removals = await refused(/^2 plants have this id\b/, 'remove', '--', id);
      expect((await pasted(that(/it'/, removals))).messages).toEqual(['Removed from 2 partitions.']);
      expect(await table.namesOf(`group#gets ${id}`)).toEqual([]);
      expect(await table.namesOf(`user#has ${id}`)).toEqual([names[0]]);
      expect((await run(['remove', '--', id])).code).toBe(0);
    },
  );

  it('whose plant was renamed loses only the plant that the advised command names', async () => {
    await importInto('user:alice', { id: 'a01', name: 'Rose' });
    await importInto('user:alice', { id: 'a01', name: 'Rosa' });
    const commands = await refused(/^2 plants have this id\b/, 'remove', 'a01');
    expect((await pasted(that(/ remove a01 --name Rosa /, commands))).code).toBe(0);
    expect(await table.namesOf('user#alice')).toEqual(['Rose']);
    expect((await run(['remove', 'a01'])).code).toBe(0);
    expect(await table.namesOf('user#alice')).toEqual([]);
  });

  it('is told with twenty commands at most', async () => {
    await put('user#many', 'm', ...Array.from({ length: 30 }, (_each, index) => `Name ${String(index)}`));
    expect(await refused(/^More than 20 plants have this id\b/, 'remove', 'm')).toHaveLength(20);
  });

  it('in two partitions is in reach of grant and remove, but not of --from', async () => {
    await put('user#one', 'r', 'Oak');
    await put('user#other', 'r', 'Yew');
    await refused(/^2 plants\b/, 'remove', 'r');
    await refused(/^2 plants\b/, 'grant', 'r', '--to', 'user:third');
    expect((await run(['grant', 'r', '--to', 'user:third', '--from', 'user:other'])).code).toBe(0);
    expect(await table.namesOf('user#third')).toEqual(['Yew']);
    expect((await run(['revoke', 'r', '--from', 'user:one'])).code).toBe(0);
    expect(await table.namesOf('user#one')).toEqual([]);
  });
});

describe('--name', () => {
  it.for([
    ['another normal form', decomposed],
    ['another case', 'CAF\u00c9'],
    ['a space at the end', `${composed} `],
    ['no name', ''],
  ] as const)('that differs by %s is not there, and the command says what is', async ([, name]) => {
    await put('user#bytes', 'b', composed);
    for (const parameters of [
      ['grant', 'b', '--to', 'user:nobody'],
      ['grant', 'b', '--to', 'user:nobody', '--from', 'user:bytes'],
      ['revoke', 'b', '--from', 'user:bytes'],
      ['remove', 'b'],
    ]) {
      const [command] = await refused(/^No plant\b.*\bthis name\b/, ...parameters, '--name', name);
      expect(command).toContain(`--name '${composed}'`);
    }
  });

  it('goes with an id', async () => {
    await refused(/--name\b.*\bid\b/, 'revoke', '--all', '--from', 'user:bytes', '--name', 'x');
  });
});

describe('grant', () => {
  it('gives nobody a second plant with an id; the command that is printed makes room for it', async () => {
    await put('user#has', 's', 'Rosa');
    await put('user#gets', 's', 'Rose');
    const grant = ['grant', 's', '--name', 'Rosa', '--to', 'user:gets'];
    const [command = ''] = await refused(/^user:gets has another plant\b/, ...grant);
    expect((await pasted(command)).messages).toEqual(['1 plant revoked.']);
    expect((await run(grant)).code).toBe(0);
    expect(await table.namesOf('user#gets')).toEqual(['Rosa']);
  });

  it('takes one of different tags only when --from says whose', async () => {
    const fern = { id: 't', name: 'Fern' };
    await table.put([
      itemOf('user#t1', { ...fern, tag: 'green' }),
      itemOf('user#t2', { ...fern, tag: 'dry' }),
      itemOf('user#t3', fern),
    ]);
    const commands = await refused(/^The plant has different tags\b/, 'grant', 't', '--to', 'user:t4');
    expect(commands).toHaveLength(3);
    expect((await pasted(that(/ --from user:t2 /, commands))).code).toBe(0);
    expect(await table.content()).toContainEqual(expect.stringMatching(/"user#t4".*"dry"/));
  });
});
