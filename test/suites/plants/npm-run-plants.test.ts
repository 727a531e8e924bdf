// The suite `plants` proves: `npm run plants` on the local service and on DynamoDB Local does what
// docs/plants.md says, refuses bad input in one sentence, and loses no plant when it is killed or throttled
// or its output cannot be written. It cannot show credentials of AWS and a table that was restored there.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { send } from '../../contract/described-responses.ts';
import { plantsIn } from '../../contract/plants.ts';
import { copyProject, type ProjectCopy } from '../../support/service/project-copy.ts';
import { type LocalService, startService } from '../../support/service/running-service.ts';
import { shellBlocks } from '../../support/markdown.ts';
import { readProjectFile } from '../../support/project-files.ts';

let project: ProjectCopy;
let service: LocalService;
beforeAll(async () => {
  project = copyProject();
  service = await startService(project);
  return async () => {
    await service.stop();
    project.remove();
  };
});

/** Runs a line of bash in the project's folder. */
const bash = (line: string) =>
  promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', line], {
    cwd: project.folder,
    maxBuffer: Infinity,
  });
const write = (name: string, content: string): void => {
  writeFileSync(join(project.folder, name), content);
};
const read = (name: string): string => readFileSync(join(project.folder, name), 'utf8');
/** The plants of a principal, as the command `list` prints them. */
const list = async (from: string): Promise<readonly unknown[]> =>
  (await bash(`bin/run node cli/main.ts list --from ${from}`)).stdout
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
/** The plants in the response to GET /plants with a token of a user. */
const getPlantsAs = async (user: string): Promise<unknown> => {
  const { stdout: token } = await bash(`npm run -s token -- ${user}`);
  return plantsIn(await send(service.baseUrl, '/plants', { authorization: `Bearer ${token.trim()}` }));
};

it('npm run plants imports a file of the current folder, which GET /plants lists at once', async () => {
  await bash('mkdir files');
  write('files/new.csv', 'id,name\nn1,New\n');
  await bash('cd files && npm run plants -- import new.csv --to user:new');
  expect(await getPlantsAs('new')).toEqual([{ name: 'New' }]);
});

it('npm run plants escapes control and invisible characters for a terminal, a pipe and a file', async () => {
  const line = String.raw`{"id":"h1","name":"a\u009b\u202e\u2028🌵"}`;
  write('hidden.json', `[${line}]`);
  await bash('npm run -s plants -- import hidden.json --to user:hidden');
  const command = 'npm run -s plants -- list --from user:hidden';
  expect((await bash(`${command} | cat`)).stdout).toBe(`${line}\n`);
  await bash(`${command} >hidden.ndjson`);
  expect(read('hidden.ndjson')).toBe(`${line}\n`);
  const { stdout: onTerminal } = await bash(`script -qec '${command}' /dev/null </dev/null`);
  expect(onTerminal).toContain(`${line}\r\n`);
  write('wrong.json', '[{"name":"Rose","\\u202e":"x"}]');
  const load = 'npm run -s plants -- import --to user:a --skip-bad';
  const failingCommands = `${load} $'\\u202e.csv'; ${load} wrong.json`;
  const { stdout } = await bash(
    `script -qc "${failingCommands.replaceAll('$', '\\$')}" /dev/null </dev/null; true`,
  );
  expect(stdout).toContain(String.raw`\u202e.csv'`);
  expect(stdout).toContain(String.raw`unknown field "\u202e"`);
});

it('the commands of docs/plants.md, in their order, have the effects that the page describes', async () => {
  write('plants.csv', 'id,name,tag\na01,Aloe vera,succulent\na99,New,\n');
  write('others.ndjson', '{"id":"b01","name":"Basil"}\n');
  await bash('npm run -s plants -- import others.ndjson --to user:bob');
  const loadedPlants = [
    { id: 'a01', name: 'Aloe vera', tag: 'succulent' },
    { id: 'a99', name: 'New' },
  ];
  const plantsOfAlice = await list('user:alice');
  const lineOfA99: unknown = expect.stringContaining('{"id":"a99","name":"New"}\n');
  const printed = (output: string): string => output;
  interface Effect {
    /** The command of the page. */
    readonly command: string;
    /** Returns what the command printed, what it wrote into a file, or the plants in the table after it. */
    readonly effect: (output: string) => unknown;
    readonly expected: unknown;
  }
  const effects: readonly Effect[] = [
    {
      command: 'npm run plants -- import plants.csv --to user:alice --dry-run',
      effect: () => list('user:alice'),
      expected: plantsOfAlice,
    },
    {
      command: 'npm run plants -- import plants.csv --to user:alice',
      effect: () => list('user:alice'),
      expected: expect.arrayContaining(loadedPlants),
    },
    {
      command: 'npm run plants -- import plants.csv --to user:bob --replace',
      effect: () => list('user:bob'),
      expected: loadedPlants,
    },
    { command: 'npm run plants -- list --from user:alice', effect: printed, expected: lineOfA99 },
    {
      command: 'npm run -s plants -- list > everything.ndjson',
      effect: () => read('everything.ndjson'),
      expected: expect.stringContaining('{"who":"user:bob","id":"a99","name":"New"}\n'),
    },
    {
      command: 'npm run -s plants -- list --from user:alice > plants.ndjson',
      effect: () => read('plants.ndjson'),
      expected: lineOfA99,
    },
    {
      command: 'npm run plants -- list a01',
      effect: printed,
      expected: expect.stringMatching(/^{"who":"user:alice","id":"a01".*\n{"who":"user:bob","id":"a01"/m),
    },
    {
      command: 'npm run plants -- grant a01 --from user:alice --to group:gardeners',
      effect: () => list('group:gardeners'),
      expected: expect.arrayContaining(loadedPlants.slice(0, 1)),
    },
    {
      command: 'npm run plants -- revoke a01 --from group:gardeners',
      effect: () => list('group:gardeners'),
      expected: expect.not.arrayContaining(loadedPlants.slice(0, 1)),
    },
    {
      command: 'npm run plants -- revoke a01 --from everyone --dry-run',
      effect: async (output) => [output, await list('user:bob')],
      expected: [expect.stringContaining('{"who":"user:bob","id":"a01"'), loadedPlants],
    },
    {
      command: 'npm run -s plants -- revoke --all --from user:bob > revoked.ndjson',
      effect: async () => [read('revoked.ndjson'), await list('user:bob')],
      expected: [loadedPlants.map((plant) => `${JSON.stringify(plant)}\n`).join(''), []],
    },
  ];
  const commands = shellBlocks(readProjectFile('docs/plants.md')).join('\n').trim().split('\n');
  expect(commands).toEqual(effects.map(({ command }) => command));
  for (const { command, effect, expected } of effects) {
    const { stdout } = await bash(command);
    expect(await effect(stdout), command).toEqual(expected);
  }
});
