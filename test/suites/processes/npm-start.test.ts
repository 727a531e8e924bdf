// The suite `processes` proves: the commands `npm start`, `npm run synth`, `npm run token` and `npm run
// smoke` work as a developer runs them, and the smoke test finds defects. It cannot show other operating
// systems.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { samplePlants } from '../../../local/store/sample-plants.ts';
import { sortKeyOf } from '../../../table/sort-key.ts';
import { send } from '../../contract/described-responses.ts';
import { item } from '../../support/table/plants.ts';
import { linesWithoutNpm } from '../lines-without-npm.ts';
import { runCommand, signalGroup } from '../../support/service/command.ts';
import { copyProject } from '../../support/service/project-copy.ts';
import { freePorts, type LocalService, startService } from '../../support/service/running-service.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { partsOf, textOf } from '../../support/tokens.ts';

const run = promisify(execFile);

const project = copyProject();
const startWithNpm = (): Promise<LocalService> => startService(project, {}, ['npm', 'start']);
let service: LocalService;
beforeAll(async () => {
  service = await startWithNpm();
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

/** A statement that blocks as an endless loop does, without taking processor time from other tests. */
const blockForever = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** The module with the errors of the list. Tests edit the module, because the functions load it. */
const errorsFile = 'functions/list-plants/errors.ts';

/** Adds a statement that runs while the functions are loaded. */
const addWhileLoading = (statement: string): (() => void) =>
  project.edit(errorsFile, 'export const catalogue', `${statement}\nexport const catalogue`);

/** Makes the functions print a line, and take five seconds more to load. */
const slowLoadingDown = (): (() => void) =>
  addWhileLoading("console.log('loading'); await new Promise((resolve) => setTimeout(resolve, 5000));");

/** Prints a token with `npm run token`. */
const token = async (...parameters: readonly string[]): Promise<string> => {
  const { stdout } = await run('npm', ['run', '-s', 'token', '--', ...parameters], { cwd: project.folder });
  return stdout;
};

describe('npm start', () => {
  it('prints a curl command that lists alice’s plants in UTF-8 byte order of their sort keys', async () => {
    const curl = /^ +(curl .+)$/m.exec(service.command.output())?.[1] ?? '';
    const { stdout } = await run('sh', ['-c', `http_proxy=http://127.0.0.1:1 ${curl} --silent`]);
    const names = z
      .array(z.object({ name: z.string() }))
      .parse(JSON.parse(stdout))
      .map(({ name }) => name);
    const inOrder = samplePlants
      .filter(({ principal }) => principal !== 'user#bob')
      .map((plant) => ({ name: plant.name, sortKey: Buffer.from(sortKeyOf(plant)) }))
      .toSorted((a, b) => Buffer.compare(a.sortKey, b.sortKey));
    expect(names).toEqual(inOrder.map(({ name }) => name));
  });

  it('does not listen on 127.0.0.2', async () => {
    for (const url of [service.baseUrl, service.storeEndpoint, service.issuer])
      await expect(fetch(url.replace('//127.0.0.1:', '//127.0.0.2:'))).rejects.toThrow('fetch failed');
  });

  it('keeps its key in a file that only its owner can read', () => {
    expect(statSync(service.keyFile).mode & 0o777).toBe(0o600);
  });

  it('prints every address and one token in at most 24 rows of 80 columns', () => {
    const [printed = ''] = service.command.output().split(/(?<=Stop with Ctrl-C\.)/);
    const [message = ''] = /^The Plant Store is ready[^]*$/m.exec(printed) ?? [];
    const rowsOfLines = printed.split('\n').map(({ length }) => Math.max(1, Math.ceil(length / 80)));
    // The output has 23 rows at most, because the last row is for the cursor.
    expect(rowsOfLines.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(23);
    expect(message.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)).toHaveLength(1);
    for (const address of [service.baseUrl, service.storeEndpoint, service.tableName, service.issuer])
      expect(message).toContain(address);
  });
});

describe('npm start, while code is edited,', () => {
  const timeout = 55_000;
  let authorization: string;
  beforeAll(async () => {
    authorization = `Bearer ${(await token('alice')).trim()}`;
  });
  /** The body of the response to a request with this limit. */
  const bodyFor = async (limit: string): Promise<string> =>
    JSON.stringify((await send(service.baseUrl, `/plants?limit=${limit}`, { authorization })).body);
  /** The error for an invalid limit, whose text is in `errorsFile`. */
  const errorBody = (): Promise<string> => bodyFor('x');
  /** Returns a function that returns the lines which were printed since this call. */
  const printedAfter = (): (() => readonly string[]) => {
    const before = service.command.output().length;
    return () => service.command.output().slice(before).trim().split('\n');
  };
  const reloaded = 'The functions were reloaded.';

  it('runs a changed function, and keeps the plants of its store', async () => {
    const table = dynamoDbTable(service.storeEndpoint, service.tableName);
    await table.put([item('user#alice', 'Loaded plant')]);
    table.close();
    expect(await errorBody()).toContain('whole number');
    project.edit(errorsFile, 'whole number', 'natural number');
    await expect.poll(errorBody, { timeout }).toContain('natural number');
    expect(await bodyFor('999')).toContain('Loaded plant');
  });

  it.each<readonly [problem: string, saveProblem: () => () => void, message: RegExp]>([
    [
      'does not parse',
      () => project.edit(errorsFile, 'export const catalogue', 'export const const catalogue'),
      /errors\.ts:\d+: .+/,
    ],
    ['fails to load', () => addWhileLoading("throw new Error('first\\nsecond');"), /errors\.ts:\d+: first\./],
    [
      'fails to load with an error of the platform',
      () => addWhileLoading("throw new DOMException('first\\nsecond');"),
      /errors\.ts:\d+: first\./,
    ],
    [
      'fails after it was loaded',
      () => addWhileLoading("void Promise.reject(new Error('later'));"),
      /errors\.ts:\d+: later\./,
    ],
    [
      'throws a text',
      () => addWhileLoading("throw 'text';"),
      /The functions threw 'text' while they were loaded\./,
    ],
    [
      'imports what a file does not export',
      () => project.edit(errorsFile, 'commonErrors }', 'commonErrors, missing }'),
      /errors\.ts:\d+: .+ 'missing'\./,
    ],
    [
      'imports a missing file',
      () => project.edit(errorsFile, "'../http/common-errors.ts'", "'../http/missing.ts'"),
      /Cannot find module .+/,
    ],
    ['exits', () => addWhileLoading('process.exit(3);'), /\(exit code 3\)\./],
    [
      'never loads',
      () => addWhileLoading(blockForever),
      /did not load in 20 seconds\. Check what .+ in warmUp\./,
    ],
    [
      'has a route with the same parameter twice',
      () => project.edit('infra/operations.ts', "'GET /plants'", "'GET /plants/{a}/{a}'"),
      /^infra\/operations\.ts: operation "ListPlants" has a parameter twice in its route .+ rename one\./,
    ],
    [
      'does not parse in local/',
      () => project.edit('local/lambda/invoke.ts', 'const', 'const const'),
      /local\/lambda\/invoke\.ts:\d+: .+/,
    ],
  ])('says in one line that code %s, and keeps the previous version', async (_, saveProblem, message) => {
    const printed = printedAfter();
    const before = await errorBody();
    const restore = saveProblem();
    const sentence = new RegExp(`${message.source} The previous version still runs\\.$`);
    await expect.poll(printed, { timeout }).toContainEqual(expect.stringMatching(sentence));
    expect(await errorBody()).toBe(before);
    restore();
    await expect.poll(printed, { timeout }).toContain(reloaded);
    // The output may have log lines, and one sentence for each load. A slow save can cause two loads, because
    // it is noticed first when the file is half written.
    const isExpected = /^(GET |\{)|The previous version still runs\.$|reloaded\.$/;
    expect(printed().filter((line) => !isExpected.test(line))).toEqual([]);
  });

  it('reloads fewer than twice, on average, for three simultaneous saves', async () => {
    const reloads = (): number =>
      service.command.output().match(/^The functions were reloaded/gm)?.length ?? 0;
    const reloadsOfEarlierTests = reloads();
    // Together with the earlier tests, these are more than ten reloads. If a reload left its listeners,
    // Node.js would warn of the eleventh listener.
    const rounds = 5;
    let savedText = 'natural number';
    for (let round = 1; round <= rounds; round += 1) {
      const before = reloads();
      for (const save of [1, 2, 3]) {
        const newText = `number ${String(round)}-${String(save)}`;
        project.edit(errorsFile, savedText, newText);
        savedText = newText;
      }
      await expect.poll(errorBody, { timeout }).toContain(savedText);
      // The line about the reload is printed after the first response of the new code.
      await expect.poll(reloads, { timeout }).toBeGreaterThan(before);
    }
    expect(reloads() - reloadsOfEarlierTests).toBeLessThan(2 * rounds);
    expect(service.command.output()).not.toMatch(/Warning/);
  });

  it('serves a new route after an editor replaced infra/operations.ts', async () => {
    const path = join(project.folder, 'infra/operations.ts');
    const before = readFileSync(path, 'utf8');
    const replace = (content: string): void => {
      writeFileSync(`${path}.new`, content);
      renameSync(`${path}.new`, path);
    };
    const status = async (): Promise<number> => (await send(service.baseUrl, '/shrubs')).status;
    replace(before.replace("'GET /plants'", "'GET /shrubs'"));
    await expect.poll(status, { timeout }).toBe(401);
    replace(before);
    await expect.poll(status, { timeout }).toBe(404);
  });

  it('notices changes in a folder that was moved away and back, as when switching branches', async () => {
    const path = (name: string): string => join(project.folder, name);
    const printed = printedAfter();
    renameSync(path('table'), path('moved-table'));
    await expect.poll(printed, { timeout }).toContainEqual(expect.stringMatching('previous version'));
    cpSync(path('moved-table'), path('table'), { recursive: true });
    rmSync(path('moved-table'), { recursive: true });
    await expect.poll(printed, { timeout }).toContain(reloaded);
    project.edit('table/item.ts', 'export const', 'export const const');
    await expect.poll(printed, { timeout }).toContainEqual(expect.stringMatching(/^table\/item\.ts:\d+: /));
    project.edit('table/item.ts', 'const const', 'const');
    expect(await bodyFor('1')).toContain('name');
  });

  it('says which change needs a restart, and ignores backup files of editors', async () => {
    const printed = printedAfter();
    for (const name of ['.main.ts.swp', '#main.ts#', 'main.ts~'])
      writeFileSync(join(project.folder, 'local', name), '');
    await delay(1000);
    project.edit('local/store/sample-plants.ts', '\n', '\n\n');
    const sentence = 'local/store/sample-plants.ts is only read at the start: restart npm start.';
    await expect.poll(printed, { timeout }).toContain(sentence);
    expect(printed().join()).not.toContain('main.ts');
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
    expect((await send(service.baseUrl, '/plants', { authorization })).status).toBe(200);
  });

  it.each([
    ['alice --expires-in -5', /^error: .*/],
    ["''", /^error: .*/],
    ["alice --group ''", /^error: .* It must not be empty\.$/],
    ['alice >/dev/full', /^Standard output .*/],
  ])('ends with one sentence and code 1: npm run -s token -- %s', async (parameters, sentence) => {
    const line = `npm run -s token -- ${parameters}`;
    const { code, output } = await runCommand('bash', project.folder, ['-c', line]).ended;
    expect([code, linesWithoutNpm(output)]).toEqual([1, [expect.stringMatching(sentence)]]);
  });
});

describe('npm start ends, closes its ports and deletes its service file', () => {
  const expectEnded = async (): Promise<void> => {
    await service.command.ended;
    for (const url of [service.baseUrl, service.storeEndpoint, service.issuer])
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(existsSync(join(project.folder, '.local/service.json'))).toBe(false);
  };

  it('on Ctrl-C in a terminal, after which npm run token says that it is not running', async () => {
    signalGroup(service.command, 'SIGINT');
    await expectEnded();
    const { code, output } = await runCommand('sh', project.folder, ['-c', 'npm run -s token alice']).ended;
    expect([code, linesWithoutNpm(output)]).toEqual([1, [expect.stringMatching(/not running.*npm start/)]]);
  });

  it('on a signal to npm alone, after a restart with the same key', async () => {
    const key = readFileSync(service.keyFile, 'utf8');
    service = await startWithNpm();
    expect(readFileSync(service.keyFile, 'utf8')).toBe(key);
    service.command.process.kill('SIGINT');
    await expectEnded();
  });

  it('when npm is killed while functions of the current and of the previous version block', async () => {
    const listPage = 'functions/plant-store/list-page.ts';
    const restore = project.edit(
      listPage,
      'if (limit === 0)',
      `if (limit === 7) ${blockForever}\n  if (limit === 0)`,
    );
    service = await startWithNpm();
    const authorization = `Bearer ${(await token('alice')).trim()}`;
    const request = (limit: string) => send(service.baseUrl, `/plants?limit=${limit}`, { authorization });
    const failingRequest = (): Promise<unknown> => expect(request('7')).rejects.toThrow();
    const requestToPrevious = failingRequest();
    project.touch(listPage);
    await service.command.printed('The functions were reloaded.');
    expect((await request('x')).status).toBe(400);
    const requestToCurrent = failingRequest();
    await delay(1000);
    service.command.process.kill('SIGKILL');
    await Promise.all([requestToPrevious, requestToCurrent]);
    await expectEnded();
    restore();
  });

  it('when its terminal is closed', async () => {
    service = await startWithNpm();
    signalGroup(service.command, 'SIGHUP');
    await expectEnded();
  });
});

it('npm start runs the newest sources when they are saved while it starts or reloads', async () => {
  await service.stop();
  const restore = slowLoadingDown();
  const command = runCommand('npm', project.folder, ['start'], freePorts);
  const errorBody = async (): Promise<string> => {
    const [, baseUrl = '', authorization = ''] =
      /ready at (\S+)[^]*Authorization: (Bearer \S+)'/.exec(command.output()) ?? [];
    return JSON.stringify((await send(baseUrl, '/plants?limit=x', { authorization })).body);
  };
  await command.printed('loading');
  // After a second, npm start watches the folders.
  await delay(1000);
  restore();
  await command.printed('Stop with Ctrl-C.');
  expect(await errorBody()).toContain('"error":1001');
  slowLoadingDown();
  await expect.poll(() => command.output().split('loading').length).toBe(3);
  restore();
  await command.printed('The functions were reloaded.');
  expect(await errorBody()).toContain('"error":1001');
  signalGroup(command, 'SIGINT');
  await command.ended;
});
