// The suite `plants` proves: `npm run plants` on the local service and on DynamoDB Local does what
// docs/plants.md says, refuses bad input in one sentence, and loses no plant when it is killed or throttled
// or its output cannot be written. It cannot show credentials of AWS and a table that was restored there.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
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
const list = async (from: string): Promise<readonly unknown[]> =>
  (await bash(`bin/run node cli/main.ts list --from ${from}`)).stdout
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
/** The body that GET /plants responds with to a user. */
const seenBy = async (user: string): Promise<unknown> => {
  const { stdout: token } = await bash(`npm run -s token -- ${user}`);
  const headers = { authorization: `Bearer ${token.trim()}` };
  return (await fetch(`${service.baseUrl}/plants`, { headers })).json();
};

it('npm run plants imports a file of the current folder, which GET /plants lists at once', async () => {
  await bash('mkdir files');
  write('files/new.csv', 'id,name\nn1,New\n');
  await bash('cd files && npm run plants -- import new.csv --to user:new');
  expect(await seenBy('new')).toEqual([{ name: 'New' }]);
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
  const wrong = `${load} $'\\u202e.csv'; ${load} wrong.json`;
  const { stdout } = await bash(`script -qc "${wrong.replaceAll('$', '\\$')}" /dev/null </dev/null; true`);
  expect(stdout).toContain(String.raw`\u202e.csv'`);
  expect(stdout).toContain(String.raw`unknown field "\u202e"`);
});

it('npm run plants does what each command of docs/plants.md says', async () => {
  write('plants.csv', 'id,name,tag\na01,Aloe vera,succulent\na99,New,\n');
  write('others.ndjson', '{"id":"b01","name":"Basil"}\n');
  await bash('npm run -s plants -- import others.ndjson --to user:bob');
  const loaded = [
    { id: 'a01', name: 'Aloe vera', tag: 'succulent' },
    { id: 'a99', name: 'New' },
  ];
  const a99: unknown = expect.stringContaining('{"id":"a99","name":"New"}\n');
  /** What is seen after each command of the page, in its order. */
  const effects: readonly (readonly [seen: (printed: string) => unknown, expected: unknown])[] = [
    [() => list('user:alice'), await list('user:alice')],
    [() => list('user:alice'), expect.arrayContaining(loaded)],
    [() => list('user:bob'), loaded],
    [(printed) => printed, a99],
    [
      () => read('everything.ndjson'),
      expect.stringContaining('{"who":"user:bob","id":"a99","name":"New"}\n'),
    ],
    [() => read('plants.ndjson'), a99],
    [
      (printed) => printed,
      expect.stringMatching(/^{"who":"user:alice","id":"a01".*\n{"who":"user:bob","id":"a01"/m),
    ],
    [() => list('group:gardeners'), expect.arrayContaining(loaded.slice(0, 1))],
    [() => list('group:gardeners'), expect.not.arrayContaining(loaded.slice(0, 1))],
    [
      async (printed) => [printed, await list('user:bob')],
      [expect.stringContaining('{"who":"user:bob","id":"a01"'), loaded],
    ],
    [
      async () => [read('revoked.ndjson'), await list('user:bob')],
      [loaded.map((plant) => `${JSON.stringify(plant)}\n`).join(''), []],
    ],
  ];
  const commands = shellBlocks(readProjectFile('docs/plants.md')).join('\n').trim().split('\n');
  expect(commands).toHaveLength(effects.length);
  for (const [index, [seen, expected]] of effects.entries()) {
    const { stdout } = await bash(commands[index] ?? '');
    expect(await seen(stdout), commands[index]).toEqual(expected);
  }
});
