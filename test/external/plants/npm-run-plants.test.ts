import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { send } from '../../contract/client.ts';
import { generatedPlants, ndjson } from '../../support/generated-plants.ts';
import {
  copyProject,
  type LocalService,
  npm,
  type ProjectCopy,
  signalGroup,
  startService,
} from '../../support/local-service.ts';
import { readDocument, shellBlocks } from '../../support/markdown.ts';
import { parsed } from '../../support/plants-command.ts';

const run = promisify(execFile);

let project: ProjectCopy;
let service: LocalService;
const tokens = new Map<string, string>();
beforeAll(async () => {
  project = copyProject();
  service = await startService(project);
  for (const [user, ...groups] of [['alice', 'gardeners'], ['bob'], ['carol', 'gardeners']] as const) {
    const { stdout } = await run(
      'npm',
      ['run', '-s', 'token', '--', user, ...groups.flatMap((group) => ['--group', group])],
      { cwd: project.folder },
    );
    tokens.set(user, stdout.trim());
  }
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

const plants = (...parameters: readonly string[]) =>
  run('npm', ['run', '-s', 'plants', '--', ...parameters], { cwd: project.folder });

const failed = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

const listBody = z.array(z.object({ name: z.string() }));
/** What `GET /plants` lists for each user. */
const seen = async (): Promise<Record<string, readonly string[]>> =>
  Object.fromEntries(
    await Promise.all(
      [...tokens].map(async ([user, token]) => {
        const { body } = await send(service.baseUrl, '/plants', { authorization: `Bearer ${token}` });
        return [user, listBody.parse(body).map(({ name }) => name)] as const;
      }),
    ),
  );

/** Who sees a plant of this name now. Nothing else may have changed since `before`. */
const whoSees = async (
  name: string,
  before: Readonly<Record<string, readonly string[]>>,
): Promise<readonly string[]> => {
  const now = await seen();
  for (const [user, names] of Object.entries(now))
    expect(names.filter((each) => each !== name)).toEqual(before[user]?.filter((each) => each !== name));
  return Object.keys(now).filter((user) => now[user]?.includes(name));
};

describe('npm run plants, on the running local service', () => {
  it('loads a file of the current folder, whose plants GET /plants shows at once to their owner alone', async () => {
    const before = await seen();
    const folder = join(project.folder, 'mine');
    mkdirSync(folder);
    writeFileSync(join(folder, 'new.csv'), 'id,name,tag\nn1,New plant,new\n');
    const { stdout, stderr } = await run(
      'npm',
      ['run', '-s', 'plants', '--', 'import', 'new.csv', '--to', 'user:bob'],
      { cwd: folder },
    );
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^1 row .*\b0 rows refused.*\n$/)]);
    expect(await whoSees('New plant', before)).toEqual(['bob']);
  });

  it('grants, revokes and removes a plant at once, and only for the named users and groups', async () => {
    await plants('grant', 'b03', '--to', 'user:alice');
    const before = await seen();
    expect(await whoSees('Ginkgo', before)).toEqual(['alice', 'bob']);

    await plants('grant', 'b03', '--to', 'group:gardeners', '--from', 'user:bob');
    expect(await whoSees('Ginkgo', before)).toEqual(['alice', 'bob', 'carol']);

    await plants('revoke', 'b03', '--from', 'user:bob');
    expect(await whoSees('Ginkgo', before)).toEqual(['alice', 'carol']);

    const { stdout, stderr } = await plants('remove', 'b03');
    expect(await whoSees('Ginkgo', before)).toEqual([]);
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/\b2\b.*\n$/)]);
  });

  it('removes no plant whose id only begins the same', async () => {
    writeFileSync(join(project.folder, 'alike.csv'), 'id,name\nz1,Zamia\nz10,Zinnia\n');
    await plants('import', 'alike.csv', '--to', 'user:bob');
    const before = await seen();
    await plants('remove', 'z1');
    expect(await seen()).toEqual({ ...before, bob: before['bob']?.filter((name) => name !== 'Zamia') });
    await plants('remove', 'z10');
  });

  it('lists the plants of one user or of all as a table, and exports them as NDJSON into a pipe that may close', async () => {
    const { stdout: list } = await plants('list', '--from', 'user:alice');
    expect(list).toMatch(/^ID {3}TAG +NAME\na01 {2}succulent {3}Aloe vera\n/);
    expect(list).toContain('a07              Fiddle-leaf fig\n');

    const { stdout: all } = await plants('list');
    expect(all).toMatch(/^WHO +ID +TAG +NAME\n/);
    expect(all).toMatch(/^user:alice +a01 +succulent +Aloe vera$/m);
    expect(all).toMatch(/^group:gardeners +g06 +Tomato$/m);

    const { stdout } = await plants('export', '--from', 'user:alice');
    expect(parsed(stdout)[0]).toEqual({ id: 'a01', name: 'Aloe vera', tag: 'succulent' });

    writeFileSync(join(project.folder, 'many.ndjson'), ndjson(generatedPlants(5000)));
    await plants('import', 'many.ndjson', '--to', 'user:many');
    const piped = await run(
      'bash',
      ['-c', 'set -o pipefail; npm run -s plants -- export --from user:many | head -n 1'],
      { cwd: project.folder },
    );
    expect(parsed(piped.stdout)).toEqual(generatedPlants(1));
    expect(piped.stderr).toBe('');
  });

  it('prints a list into a pipe that may close', async () => {
    const piped = await run(
      'bash',
      ['-c', 'set -o pipefail; npm run -s plants -- list --from user:many | head -n 1'],
      { cwd: project.folder },
    );
    expect(piped.stdout).toMatch(/^ID +TAG +NAME\n$/);
    expect(piped.stderr).toBe('');
  });

  it('removes none of different plants that have the same id', async () => {
    for (const [user, name] of [
      ['alice', 'Oak'],
      ['bob', 'Yew'],
    ] as const) {
      writeFileSync(join(project.folder, 'one.csv'), `id,name\nsame,${name}\n`);
      await plants('import', 'one.csv', '--to', `user:${user}`);
    }
    const before = await seen();
    const { stderr } = failed.parse(await plants('remove', 'same').catch((error: unknown) => error));
    expect(stderr).toMatch(/^2 plants have this id\b/);
    expect(await seen()).toEqual(before);
    const command = /^npm run plants -- .* Yew$/m.exec(stderr)?.[0] ?? '';
    await run('bash', ['-c', command], { cwd: project.folder });
    expect(await seen()).toEqual({ ...before, bob: before['bob']?.filter((name) => name !== 'Yew') });
    await plants('remove', 'same');
  });

  it('accepts every command of docs/plants.md', async () => {
    const [commands = ''] = shellBlocks(readDocument('docs/plants.md'));
    expect(commands.match(/^npm run/gm)).toHaveLength(10);
    writeFileSync(join(project.folder, 'plants.csv'), 'id,name,tag\na01,Aloe vera,succulent\na99,New,\n');
    await run('bash', ['-e', '-c', commands], { cwd: project.folder });
    expect(parsed(readFileSync(join(project.folder, 'plants.ndjson'), 'utf8'))).toContainEqual({
      id: 'a99',
      name: 'New',
    });
  });

  it('revokes all plants of a user at once, and an import restores them', async () => {
    const before = await seen();
    const { stdout: kept } = await plants('export', '--from', 'user:bob');
    await plants('revoke', '--all', '--from', 'user:bob');
    expect(await seen()).toEqual({ ...before, bob: [] });
    writeFileSync(join(project.folder, 'kept.ndjson'), kept);
    await plants('import', 'kept.ndjson', '--to', 'user:bob');
    expect(await seen()).toEqual(before);
  });

  it.for([
    ['grant', ['grant', 'no', '--to', 'user:alice'], /^There is no plant\b.*\bid\b/],
    ['revoke', ['revoke', 'a01', '--from', 'user:bob'], /^There is no plant\b.*\bid\b/],
    ['remove', ['remove', 'no'], /^There is no plant\b.*\bid\b/],
    ['revoke', ['revoke', '--from', 'user:bob'], /\bid\b.*--all\b/],
  ] as const)('%s says in one line what is missing', async ([, parameters, message]) => {
    const failure = failed.parse(await plants(...parameters).catch((error: unknown) => error));
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toMatch(message);
  });

  it('grants none of several plants with one id until --from says which', async () => {
    writeFileSync(join(project.folder, 'other.csv'), 'id,name\ng01,Another plant\n');
    await plants('import', 'other.csv', '--to', 'user:dave');
    await expect(plants('grant', 'g01', '--to', 'user:bob')).rejects.toThrow(
      /^2 plants have this id\b.*:\nnpm run plants -- grant g01 --name .* --to user:bob$/m,
    );
    const before = await seen();
    await plants('grant', 'g01', '--to', 'user:bob', '--from', 'group:gardeners');
    expect(await whoSees('Apple tree', before)).toEqual(['alice', 'bob', 'carol']);
  });

  it('ends on Ctrl-C through npm, and says how many rows are in', async () => {
    writeFileSync(join(project.folder, 'long.ndjson'), ndjson(generatedPlants(50_000)));
    const command = npm(project.folder, [
      ...['run', '-s', 'plants', '--', 'import', 'long.ndjson', '--to', 'user:long'],
    ]);
    await command.printed('10 %: ');
    signalGroup(command, 'SIGINT');
    const { output } = await command.ended;
    expect(output).toMatch(/^Interrupted: [\d,]+ rows .*the same command again/m);
  });
});

describe('npm run plants', () => {
  it('says to start the local service when it is not running', async () => {
    const other = copyProject();
    try {
      const list = npm(other.folder, ['run', '-s', 'plants', '--', 'list', '--from', 'user:alice']);
      const { code, output } = await list.ended;
      expect([code, output]).toEqual([1, expect.stringMatching(/^.*not running.*npm start.*\n$/)]);
    } finally {
      other.remove();
    }
  });
});
