import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = `import('${new URL('../../infra/commit.ts', import.meta.url).href}').then(({ checkedOutCommit }) =>
  console.log(checkedOutCommit()))`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const run = (file: string, ...parameters: readonly string[]): string =>
  execFileSync(file, parameters, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
const commitOf = (): string =>
  execFileSync(process.execPath, ['-e', program], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  }).trim();

describe('a deployment is labelled with', () => {
  it('the commit of the checkout, and whether files differ from it', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '1');
    run('git', 'init', '--quiet');
    run('git', 'add', '.');
    run(
      'git',
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit',
      '--quiet',
      '--message',
      'First',
    );
    const head = run('git', 'rev-parse', 'HEAD');
    expect(commitOf()).toBe(head);
    writeFileSync(file, '2');
    expect(commitOf()).toBe(`${head}-dirty`);
  });

  it('"unknown" where there is no repository', () => {
    expect(commitOf()).toBe('unknown');
  });
});
