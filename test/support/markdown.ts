import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

const listFiles = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];

/** The files of this project that Git does not ignore, relative to its folder. */
export const projectFiles = (): readonly string[] =>
  execFileSync('git', listFiles, { cwd: project, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(project, file)));

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

/** Without blocks of code, whose comments look like headings. */
const proseOf = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, '');

/** The targets of links and pictures in a document. */
export const linksIn = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture ?? '',
  );

/** The code spans and the lines of code blocks. */
export const codeIn = (markdown: string): readonly string[] => [
  ...[...proseOf(markdown).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? ''),
  ...[...markdown.matchAll(/^```.*?\n(.*?)^```/gms)].flatMap(([, block]) => block?.split('\n') ?? []),
];

/** The anchor of each heading, as GitHub makes it. */
export const anchorsOf = (markdown: string): readonly string[] =>
  [...proseOf(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
