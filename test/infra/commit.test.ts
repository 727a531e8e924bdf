import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const module = new URL('../../infra/commit.ts', import.meta.url).href;
const program = `import('${module}').then(({ checkedOutCommit }) => console.log(checkedOutCommit()))`;

it('labels a deployment with the commit, with -dirty if files differ, or as unknown without Git', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
  const run = (file: string, ...parameters: readonly string[]): string =>
    execFileSync(file, parameters, { cwd: folder, encoding: 'utf8', stdio: 'pipe', env }).trim();
  const label = (): string => run(process.execPath, '-e', program);
  try {
    expect(label()).toBe('unknown');
    const file = join(folder, 'file');
    writeFileSync(file, '1');
    run('git', 'init', '--quiet');
    run('git', 'add', '.');
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    run('git', ...author, 'commit', '--quiet', '--message', 'First');
    const head = run('git', 'rev-parse', 'HEAD');
    expect(label()).toBe(head);
    writeFileSync(file, '2');
    expect(label()).toBe(`${head}-dirty`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
