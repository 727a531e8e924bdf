import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The files of this project that Git does not ignore, relative to its folder. Git lists them with an empty
 * repository, because a copy of the project has no `.git`.
 */
export const projectFiles = (): readonly string[] => {
  const repository = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--bare', repository]);
  const listFiles = ['--git-dir', repository, '--work-tree', project, 'ls-files', '-z', '--others'];
  return execFileSync('git', [...listFiles, '--exclude-standard'], { cwd: project, encoding: 'utf8' })
    .split('\0')
    .filter((file) => statSync(join(project, file), { throwIfNoEntry: false })?.isFile());
};

/** The text of a file of this project. */
export const readProjectFile = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
