import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const infra = new URL('../../infra/', import.meta.url).href;
/** Prints the commit for the stage in the argument. URLs are in double quotes, which no URL contains. */
const program = `
  const { stageNamed } = await import("${infra}stages.ts");
  const { commitFor } = await import("${infra}commit.ts");
  try { console.log(commitFor([stageNamed(process.argv[1])])); }
  catch (error) { console.log(error.constructor.name, error.message); }`;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const git = (...parameters: readonly string[]): string =>
  execFileSync('git', parameters, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
const makeRepository = (): string => {
  writeFileSync(join(folder, 'file'), '1');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  return git('rev-parse', 'HEAD');
};
const commitOf = (stage: string, environment: Readonly<Record<string, string>> = {}, cwd = folder) => {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), ...environment };
  const parameters = ['--input-type=module', '-e', program, stage];
  const { stdout, stderr } = spawnSync(process.execPath, parameters, { cwd, encoding: 'utf8', env });
  return { stdout: stdout.trim(), stderr };
};

it('the commit is unknown outside a repository', () => {
  expect(commitOf('prod')).toEqual({ stdout: 'unknown', stderr: '' });
});

it('the commit of a repository is its HEAD, also in a hook of another repository', () => {
  const head = makeRepository();
  expect(commitOf('prod')).toEqual({ stdout: head, stderr: '' });
  // Git sets these in a hook of another repository.
  const otherRepository = { GIT_DIR: '/other/.git', GIT_WORK_TREE: '/other', GIT_INDEX_FILE: '/other/index' };
  expect(commitOf('prod', otherRepository)).toEqual({ stdout: head, stderr: '' });
});

it('the commit ends with -dirty if files differ from it', () => {
  const head = makeRepository();
  writeFileSync(join(folder, 'file'), '2');
  expect(commitOf('prod')).toEqual({ stdout: `${head}-dirty`, stderr: '' });
});

it('names no commit of a repository around the checkout', () => {
  makeRepository();
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  expect(commitOf('prod', {}, checkout)).toEqual({ stdout: 'unknown', stderr: '' });
  mkdirSync(join(checkout, '.git'));
  expect(commitOf('prod', {}, checkout).stdout).toMatch(/^StageError .*not a git repository/);
});

it('names the commit of a work tree below another checkout, also through a link', () => {
  const head = makeRepository();
  git('worktree', 'add', '--quiet', '.worktrees/a');
  git('commit', '--quiet', '--allow-empty', '--message', 'Second');
  symlinkSync(join(folder, '.worktrees/a'), join(folder, 'link'));
  for (const path of ['.worktrees/a', 'link'])
    expect(commitOf('prod', {}, join(folder, path))).toEqual({ stdout: head, stderr: '' });
});

// The stub that macOS has as `git` until its developer tools are installed.
const stub = temporaryFolder();
writeFileSync(join(stub, 'git'), '#!/bin/sh\necho xcrun: error: invalid path >&2; exit 1', { mode: 0o755 });

it.each<[string, RegExp, environment?: Readonly<Record<string, string>>]>([
  // Git refuses a folder that another user owns.
  ['refuses the folder', /dubious ownership/, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }],
  ['is not installed', /ENOENT/, { PATH: '' }],
  ['is a stub', /Git fails: xcrun: error: invalid path\./, { PATH: stub }],
  ['finds a damaged repository', /Git fails: .+/],
])(
  'refuses a stage with protected data, and warns for a disposable one, when Git %s',
  (name, reason, environment) => {
    makeRepository();
    if (name.includes('damaged')) rmSync(join(folder, '.git/objects'), { recursive: true });
    const { stdout, stderr } = commitOf('prod', environment);
    expect(stdout).toMatch(/^StageError Stage "prod" keeps its data, .* --context stage=NAME\.$/);
    expect([stdout, stderr]).toEqual([expect.stringMatching(reason), '']);
    const other = commitOf('dev-anna', environment);
    expect(other.stdout).toBe('unknown');
    expect(other.stderr).toMatch(/^Warning: .*\.\n$/);
    expect(other.stderr).toMatch(reason);
  },
);
