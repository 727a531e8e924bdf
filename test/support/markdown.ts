import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The files of this project that Git does not ignore, relative to its folder. A copy needs no `.git`. */
export const projectFiles = (): readonly string[] => {
  const repository = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--bare', repository]);
  const listFiles = ['--git-dir', repository, '--work-tree', project, 'ls-files', '-z', '--others'];
  return execFileSync('git', [...listFiles, '--exclude-standard'], { cwd: project, encoding: 'utf8' })
    .split('\0')
    .filter((file) => statSync(join(project, file), { throwIfNoEntry: false })?.isFile());
};

/** The text of a document of this project. */
export const readDocument = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The sections of a heading level: each heading with the text below it. */
export const sectionsOf = (
  markdown: string,
  level: number,
): readonly (readonly [heading: string, text: string])[] =>
  markdown
    .split(new RegExp(`^${'#'.repeat(level)} `, 'm'))
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [heading, lines.join('\n')];
    });

/** The shell code blocks in order. */
export const shellBlocks = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? '');
