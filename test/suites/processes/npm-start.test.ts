// The suite `processes` proves: `npm start`, `synth`, `token` and `smoke` work as whole processes, as a
// developer runs them; the smoke test finds defects. It cannot show other operating systems.
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { send } from '../../contract/client.ts';
import { ownLines } from '../../support/lines.ts';
import { readDocument } from '../../support/markdown.ts';
import {
  copyProject,
  type LocalService,
  npm,
  runCommand,
  signalGroup,
  startService,
} from '../../support/service/local-service.ts';
import { operationIds } from '../../support/synthesized.ts';
import { partsOf, textOf } from '../../support/tokens.ts';

const run = promisify(execFile);

const project = copyProject();
let service: LocalService;
beforeAll(async () => {
  service = await startService(project);
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

const launchSchema = z.object({
  configurations: z.tuple([z.object({ program: z.string(), outFiles: z.array(z.string()) })]),
});

const token = async (...parameters: readonly string[]): Promise<string> => {
  const { stdout } = await run('npm', ['run', '-s', 'token', '--', ...parameters], { cwd: project.folder });
  return stdout;
};

describe('npm start', () => {
  it('prints a curl command that lists the plants of the user and their group in byte order', async () => {
    const curl = /^ +(curl .+)$/m.exec(service.command.output())?.[1] ?? '';
    const { stdout } = await run('sh', ['-c', `${curl} --silent`]);
    const names = z
      .array(z.object({ name: z.string() }))
      .parse(JSON.parse(stdout))
      .map(({ name }) => name);
    expect(names).toHaveLength(14);
    expect(names).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(names).toContain('\u{1f335} from the window sill');
  });

  it('listens only on the loopback address, and keeps its key in a file that only its owner can read', () => {
    for (const url of [service.baseUrl, service.storeEndpoint, service.issuer])
      expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(statSync(service.keyFile).mode & 0o777).toBe(0o600);
  });

  it('fits its output into a terminal of 24 lines and 80 columns, with the addresses and one token', () => {
    const [printed = ''] = service.command.output().split(/(?<=Stop with Ctrl-C\.)/);
    const [message = ''] = /^The Plant Store is ready[^]*$/m.exec(printed) ?? [];
    // A slow machine prints more lines about the progress.
    const lines = printed.replaceAll(/^Still .*\n/gm, '').split('\n');
    const rows = lines.map(({ length }) => Math.max(1, Math.ceil(length / 80)));
    expect(ownLines(printed)[0]).toMatch(/^Synthesizing .*…$/);
    // The last row is for the cursor.
    expect(rows.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(23);
    expect(message.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)).toHaveLength(1);
    for (const address of [service.baseUrl, service.storeEndpoint, service.tableName, service.issuer])
      expect(message).toContain(address);
  });

  it('bundles its functions with source maps where .vscode/launch.json tells a debugger to look', () => {
    const [, command = ''] = /`([^`]*--inspect[^`]*)`/.exec(readDocument('docs/local-service.md')) ?? [];
    const launch = readDocument('.vscode/launch.json').replaceAll('${workspaceFolder}', project.folder);
    const { program, outFiles } = launchSchema.parse(JSON.parse(launch)).configurations[0];
    expect(join(project.folder, command.split(' ').at(-1) ?? '')).toBe(program);
    const bundles = globSync(outFiles).filter((bundle) =>
      readFileSync(bundle, 'utf8').includes('\n//# sourceMappingURL=index.js.map'),
    );
    expect(bundles).toHaveLength(1 + operationIds.length);
  });
});

describe('npm start, while functions are edited,', () => {
  const timeout = 55_000;
  const file = 'functions/list-plants/errors.ts';
  let authorization: string;
  beforeAll(async () => {
    authorization = `Bearer ${(await token('alice')).trim()}`;
  });
  const ask = async (limit: string): Promise<string> =>
    JSON.stringify((await send(service.baseUrl, `/plants?limit=${limit}`, { authorization })).body);
  /** The error for an invalid limit, whose text is in that file. */
  const errorBody = (): Promise<string> => ask('x');

  it('prints where in the source a function failed, without the text of the error', async () => {
    const failing = 'functions/plant-store/list-plants.ts';
    const statement = "if (query.limit === 7) throw new TypeError('secret');";
    project.edit(failing, 'if (query.limit === 0)', `${statement}\n  if (query.limit === 0)`);
    const lines = readFileSync(join(project.folder, failing), 'utf8').split('\n');
    const line = 1 + lines.findIndex((each) => each.includes(statement));
    await expect.poll(() => ask('7'), { timeout }).toContain('"error":2000');
    await service.command.printed(`${failing}:${String(line)}:`);
    expect(service.command.output()).not.toContain('secret');
  });

  it('runs a changed function, and keeps the previous version while the change is broken', async () => {
    const before = await errorBody();
    const problem = /^functions\/list-plants\/errors\.ts:\d+:\d+: .+\. The previous version still runs\.$/gm;
    const unbreak = project.edit(file, 'export const catalogue', 'export const const catalogue');
    await expect.poll(service.command.output, { timeout }).toMatch(problem);
    project.edit(file, 'const const', 'const const const');
    await expect.poll(() => service.command.output().match(problem), { timeout }).toHaveLength(2);
    expect(await errorBody()).toEqual(before);
    const printed = service.command.output().length;
    unbreak();
    project.edit(file, 'whole number', 'natural number');
    await expect.poll(errorBody, { timeout }).toContain('natural number');
    const latest = (): string => service.command.output().slice(printed);
    await expect.poll(latest, { timeout }).toContain('The functions were reloaded.');
  });

  it('reloads once for simultaneous saves, and keeps only bundles that may still be loaded', async () => {
    const reloads = (): number =>
      service.command.output().match(/^The functions were reloaded/gm)?.length ?? 0;
    let text = 'natural number';
    // Node warns of the eleventh listener of one kind.
    for (let round = 1; round <= 11; round += 1) {
      const before = reloads();
      for (const save of [1, 2, 3]) {
        const next = `number ${String(round)}-${String(save)}`;
        project.edit(file, text, next);
        text = next;
      }
      await expect.poll(errorBody, { timeout }).toContain(text);
      // The line about the reload is printed after the first response of the new code.
      await expect.poll(reloads, { timeout }).toBe(before + 1);
    }
    expect(service.command.output()).not.toMatch(/Warning/);
    // An environment of the previous version may still start.
    expect(globSync('.local/bundles/*/*ListPlants*', { cwd: project.folder })).toHaveLength(2);
  });
});

describe('npm start, while the stack is edited,', () => {
  const timeout = 55_000;
  const stackFile = 'infra/plant-store-stack.ts';
  const route = "route: 'GET /plants',";

  it.each([
    ['a thrown error', stackFile, route, "route: [].join.call(null) + 'GET /plants',", stackFile],
    [
      'an unknown property of a route',
      stackFile,
      'const isNotifying =',
      [
        'for (const each of this.node.findAll())',
        "if (each.cfnResourceType?.endsWith('::Route')) each.addPropertyOverride('Other', 1);",
        'const isNotifying =',
      ].join('\n'),
      'infra/operation.ts',
    ],
  ])(
    'says in one sentence where %s is, and keeps the previous version',
    async (_, file, text, changed, place) => {
      const before = service.command.output().length;
      const problem = new RegExp(`^${place}:\\d+:\\d+: .+\\. The previous version still runs\\.$`);
      const printed = (): readonly string[] => service.command.output().slice(before).trim().split('\n');
      const restore = project.edit(file, text, changed);
      try {
        await expect.poll(printed, { timeout }).toContainEqual(expect.stringMatching(problem));
      } finally {
        restore();
      }
      await expect.poll(printed, { timeout }).toContain('The functions were reloaded.');
      expect(printed().filter((line) => line.startsWith(' '))).toEqual([]);
    },
  );

  it('stops an endless loop in the stack’s code at the next save', async () => {
    const before = service.command.output().length;
    const printed = (): string => service.command.output().slice(before);
    const loop = "process.getBuiltinModule('fs').writeFileSync('looping', '');\nfor (;;);\nconst common";
    const restore = project.edit('infra/stages.ts', 'const common', loop);
    await expect.poll(() => existsSync(join(project.folder, 'looping')), { timeout }).toBe(true);
    restore();
    await expect.poll(printed, { timeout }).toContain('The functions were reloaded.');
    expect(/^.*previous version.*$/m.exec(printed())).toBeNull();
  });

  it('serves a new route after the stack’s file was replaced', async () => {
    // Like an editor that replaces the file.
    const file = join(project.folder, stackFile);
    const before = readFileSync(file, 'utf8');
    writeFileSync(`${file}.new`, before.replace(route, "route: 'GET /shrubs',"));
    renameSync(`${file}.new`, file);
    const status = async (): Promise<number> => (await send(service.baseUrl, '/shrubs')).status;
    await expect.poll(status, { timeout }).toBe(401);
    writeFileSync(file, before);
    await expect.poll(status, { timeout }).toBe(404);
  });
});

describe('npm run token', () => {
  it('prints a token with the given groups and lifetime, and nothing else', async () => {
    const printed = await token('nobody', '--group', 'gardeners', '--group', 'others', '--expires-in', '60');
    expect(printed).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { iat, ...claims } = z
      .looseObject({ iat: z.number() })
      .parse(JSON.parse(textOf(partsOf(printed)[1])));
    expect(claims).toMatchObject({ sub: 'nobody', groups: ['gardeners', 'others'], exp: iat + 60 });
    const authorization = `Bearer ${printed.trim()}`;
    expect((await send(service.baseUrl, '/plants', { authorization })).body).toHaveLength(5);
  });

  it.each([
    ['alice --expires-in -5', /^error: .*/],
    ["''", /^error: .*/],
    ['alice >/dev/full', /^Standard output is .*/],
  ])('ends with one sentence and code 1: npm run -s token -- %s', async (parameters, sentence) => {
    const line = `npm run -s token -- ${parameters}`;
    const { code, output } = await runCommand('bash', project.folder, ['-c', line], {}).ended;
    expect([code, ownLines(output)]).toEqual([1, [expect.stringMatching(sentence)]]);
  });
});

describe('npm start ends and closes every port', () => {
  const expectEnded = async (): Promise<void> => {
    await service.command.ended;
    for (const url of [service.baseUrl, service.storeEndpoint, service.issuer])
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(existsSync(join(project.folder, '.local/service.json'))).toBe(false);
  };

  it('on Ctrl-C in a terminal, which signals all processes', async () => {
    signalGroup(service.command, 'SIGINT');
    await expectEnded();
    const { code, output } = await npm(project.folder, ['run', '-s', 'token', '--', 'alice']).ended;
    expect([code, ownLines(output)]).toEqual([1, [expect.stringMatching(/not running.*npm start/)]]);
  });

  it('on a signal to npm alone, and keeps its key after a restart', async () => {
    const key = readFileSync(service.keyFile, 'utf8');
    service = await startService(project);
    expect(readFileSync(service.keyFile, 'utf8')).toBe(key);
    service.command.process.kill('SIGINT');
    await expectEnded();
  });
});
