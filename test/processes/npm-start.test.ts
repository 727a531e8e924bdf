// The suite `processes` proves: `npm start`, `synth` and `token` work as whole processes, as a developer runs them.
// It cannot show another system than this one.
import { execFile } from 'node:child_process';
import { closeSync, existsSync, globSync, openSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plantIndex } from '../../table/plant-index.ts';
import { send } from '../contract/client.ts';
import { item, key } from '../contract/plants.ts';
import { credentials, dynamoDbTable, region } from '../support/table/dynamodb-table.ts';
import { ownLines } from '../support/lines.ts';
import {
  copyProject,
  type LocalService,
  npm,
  type ProjectCopy,
  signalGroup,
  startService,
} from '../support/service/local-service.ts';

const run = promisify(execFile);

const isOpen = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });

let project: ProjectCopy;
let service: LocalService;
beforeAll(async () => {
  project = copyProject();
  service = await startService(project);
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

const token = async (...parameters: readonly string[]): Promise<string> => {
  const { stdout } = await run('npm', ['run', '-s', 'token', '--', ...parameters], { cwd: project.folder });
  return stdout;
};

const plantsOf = async (...parameters: readonly string[]): Promise<unknown> =>
  (await send(service.baseUrl, '/plants', { authorization: `Bearer ${(await token(...parameters)).trim()}` }))
    .body;

describe('npm start', () => {
  it('prints a curl command that lists the sample plants of the user and their group in byte order', async () => {
    const curl = /^ +(curl .+)$/m.exec(service.command.output())?.[1] ?? '';
    const { stdout } = await run('sh', ['-c', `${curl} --silent`]);
    const names = z
      .array(z.object({ name: z.string() }))
      .parse(JSON.parse(stdout))
      .map(({ name }) => name);
    expect(names).toHaveLength(22);
    expect(names).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(names).toContain('\u{1f335} from the window sill');
  });

  it('finds who has a sample plant by the index, from keys alone', async () => {
    const client = new DynamoDBClient({ endpoint: service.storeEndpoint, region, credentials });
    const { Items: items } = await client.send(
      new QueryCommand({
        TableName: service.tableName,
        IndexName: plantIndex.name,
        KeyConditionExpression: 'plantId = :id',
        ExpressionAttributeValues: { ':id': { S: 'a01' } },
      }),
    );
    client.destroy();
    expect(items).toEqual([
      { plantId: { S: 'a01' }, principal: { S: 'user#alice' }, sortKey: { S: 'Aloe vera\u0000a01' } },
    ]);
  });

  it('stores the issuer’s key in a file that only its owner can read', () => {
    expect(statSync(service.keyFile).mode & 0o777).toBe(0o600);
  });

  it('listens only on the loopback address', () => {
    for (const url of [service.baseUrl, service.storeEndpoint, service.issuer]) {
      expect(new URL(url).hostname).toBe('127.0.0.1');
    }
  });

  it('logs the number of damaged items in one line per request, without names', async () => {
    const table = dynamoDbTable(service.storeEndpoint, service.tableName);
    await table.put([
      { ...key('user#damaged', 'Secret rose', '1'), name: { N: '1' } },
      key('user#damaged', 'Secret fern', '2'),
      item('user#damaged', 'Good', '3'),
    ]);
    table.close();
    const before = service.command.output().length;
    expect(await plantsOf('damaged')).toEqual([{ name: 'Good' }]);
    const lines = (): readonly string[] =>
      service.command.output().slice(before).trim().split('\n').toSorted();
    await expect
      .poll(lines)
      .toEqual([
        expect.stringMatching(/^GET \/plants 200, 1 plant, [\d.]+ ms, authorizer miss$/),
        expect.stringContaining('"event":"damaged-items"'),
      ]);
    const [, line = ''] = lines();
    expect(JSON.parse(line)).toMatchObject({ level: 'ERROR', message: { event: 'damaged-items', count: 2 } });
    expect(line).not.toContain('Secret');
  });

  it('prints at most 20 lines of 100 columns, with the addresses and one token', () => {
    const [message = ''] =
      /^The Plant Store is ready[^]*Stop with Ctrl-C\.$/m.exec(service.command.output()) ?? [];
    const lines = message.split('\n').map(({ length }) => Math.max(1, Math.ceil(length / 100)));
    expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(20);
    expect(message.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)).toHaveLength(1);
    for (const address of [service.baseUrl, service.storeEndpoint, service.tableName, service.issuer])
      expect(message).toContain(address);
  });

  it('prints a line for each request, with the authorizer’s cache and without the query string', async () => {
    const authorization = `Bearer ${(await token('carol', '--group', 'gardeners')).trim()}`;
    const before = service.command.output().length;
    for (const [target, headers] of [
      ['/plants?limit=2&x=secret', { authorization }],
      ['/plants', { authorization }],
      ['/plants?limit=secret', { authorization }],
      ['/plants', {}],
      ['/plants', { authorization: 'Bearer secret' }],
      ['/other?secret', {}],
    ] as const) {
      await send(service.baseUrl, target, headers);
    }
    const printed = (): string => service.command.output().slice(before);
    await expect
      .poll(() =>
        printed()
          .match(/^GET .*$/gm)
          ?.map((line) => line.replace(/[\d.]+ ms/, 'N ms')),
      )
      .toEqual([
        'GET /plants 200, 2 plants, N ms, authorizer miss',
        'GET /plants 200, 10 plants, N ms, authorizer hit',
        'GET /plants 400, error 1001, N ms, authorizer hit',
        'GET /plants 401, N ms',
        'GET /plants 403, N ms, authorizer miss',
        'GET /other 404, N ms',
      ]);
    expect(printed()).not.toContain('secret');
    expect(service.command.output()).not.toContain('\u001b[');
  });

  it('shows the developer, and not the caller, where in the TypeScript source a function failed', async () => {
    const file = 'functions/list-plants/list-plants.ts';
    const statement = "if (limit === 7) throw new TypeError('secret');";
    project.edit(file, 'if (limit === 0) return', `${statement}\n  if (limit === 0) return`);
    const lines = readFileSync(join(project.folder, file), 'utf8').split('\n');
    const line = 1 + lines.findIndex((each) => each.includes(statement));
    const authorization = `Bearer ${(await token('alice')).trim()}`;
    const ask = async (): Promise<unknown> =>
      (await send(service.baseUrl, '/plants?limit=7', { authorization })).body;
    await expect.poll(ask, { timeout: 55_000 }).toMatchObject({ error: 2000 });
    await service.command.printed(`${file}:${String(line)}:`);
    expect(service.command.output()).not.toContain('secret');
  });

  it('runs a changed function, and keeps the previous version while the change is broken', async () => {
    const file = 'functions/list-plants/errors.ts';
    const authorization = `Bearer ${(await token('alice')).trim()}`;
    const ask = async (): Promise<unknown> =>
      (await send(service.baseUrl, '/plants?limit=x', { authorization })).body;
    const before = await ask();
    const problem =
      /^ +functions\/list-plants\/errors\.ts:\d+:\d+:\n[^]*?\nThe functions .* previous version still runs\.$/gm;
    const unbreak = project.edit(file, 'export const catalogue', 'export const const catalogue');
    await expect.poll(service.command.output, { timeout: 55_000 }).toMatch(problem);
    project.edit(file, 'const const', 'const const const');
    await expect.poll(() => service.command.output().match(problem), { timeout: 55_000 }).toHaveLength(2);
    expect(await ask()).toEqual(before);
    unbreak();
    project.edit(file, 'whole number', 'natural number');
    await expect
      .poll(async () => JSON.stringify(await ask()), { timeout: 55_000 })
      .toContain('natural number');
  });

  it('leaves the bundle that an environment is loading complete while it reloads', async () => {
    const file = 'functions/list-plants/errors.ts';
    const authorization = `Bearer ${(await token('alice')).trim()}`;
    const answer = async (): Promise<string> =>
      JSON.stringify((await send(service.baseUrl, '/plants?limit=x', { authorization })).body);
    const undo = project.edit(file, 'natural number', 'first number');
    await expect.poll(answer, { timeout: 55_000 }).toContain('first number');
    const [bundle = ''] = globSync('.local/bundles/**/ListPlants*/index.js', { cwd: project.folder }).sort(
      (a, b) => statSync(join(project.folder, b)).mtimeMs - statSync(join(project.folder, a)).mtimeMs,
    );
    const loading = openSync(join(project.folder, bundle), 'r');
    undo();
    await expect.poll(answer, { timeout: 55_000 }).toContain('natural number');
    expect(readFileSync(loading, 'utf8')).toContain('first number');
    closeSync(loading);
  });

  it('reloads once for several saves at once, with the last of them, and keeps nothing of earlier reloads', async () => {
    const file = 'functions/list-plants/errors.ts';
    const authorization = `Bearer ${(await token('alice')).trim()}`;
    const answers = async (): Promise<string> =>
      JSON.stringify((await send(service.baseUrl, '/plants?limit=x', { authorization })).body);
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
      await expect.poll(answers, { timeout: 55_000 }).toContain(text);
      expect(reloads()).toBe(before + 1);
    }
    expect(service.command.output()).not.toMatch(/Warning/);
  });
});

describe('npm run token', () => {
  it('prints a token and nothing else', async () => {
    expect(await token('alice', '--group', 'gardeners')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });

  it('puts the given groups into the token', async () => {
    const group = await plantsOf('nobody', '--group', 'gardeners');
    expect(group).toHaveLength(10);
    expect(await plantsOf('nobody')).toEqual([]);
    expect(await plantsOf('nobody', '--group', 'gardeners', '--group', 'others')).toEqual(group);
  });

  it.each([[[]], [['alice', 'bob']], [['alice', '--role', 'x']], [['alice', '--expires-in', '-5']], [['']]])(
    'refuses the arguments %j in one line',
    async (parameters) => {
      const { code, output } = await npm(project.folder, ['run', '-s', 'token', '--', ...parameters]).ended;
      expect([code, ownLines(output)]).toEqual([1, [expect.stringMatching(/^error: .*/)]]);
    },
  );

  it('makes a token that is refused when it expires, even while the authorizer’s result is cached', async () => {
    const authorization = `Bearer ${(await token('alice', '--expires-in', '6')).trim()}`;
    const ask = async () => send(service.baseUrl, '/plants', { authorization });
    expect((await ask()).status).toBe(200);
    await expect.poll(async () => (await ask()).status, { interval: 300, timeout: 20_000 }).toBe(401);
    expect(await ask()).toMatchObject({ body: { error: 1004 }, headers: { 'www-authenticate': 'Bearer' } });
  });
});

describe('npm start ends and closes every port', () => {
  const expectEnded = async (): Promise<void> => {
    await service.command.ended;
    for (const url of [service.baseUrl, service.storeEndpoint, service.issuer]) {
      await expect.poll(() => isOpen(url)).toBe(false);
    }
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
