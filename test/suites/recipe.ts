import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sectionsOf } from '../support/markdown.ts';

/** The recipes of the pages. Snapshots do not count as changed files, and new files not as edited ones. */
export const recipes = [
  { page: '.github/CONTRIBUTING.md', section: 'Add a field', maxChangedFiles: 3, maxEditedProductFiles: 1 },
  { page: 'docs/crud.md', section: 'Add an operation by hand', maxChangedFiles: 5, maxEditedProductFiles: 1 },
] as const;

/** The text of a recipe in the documents of a project. */
export const recipeIn = (
  folder: string,
  { page, section }: Pick<(typeof recipes)[number], 'page' | 'section'>,
): string => new Map(sectionsOf(readFileSync(join(folder, page), 'utf8'), 2)).get(section) ?? '';

const namedFile = /(Create|In)\s`([^`]+)`/g;

/** A block of code on a page: the text of a new file, or a diff of a file. */
interface Change {
  readonly file: string;
  readonly isNew: boolean;
  readonly code: string;
}

/**
 * The changes that a page describes. The paragraph before a block of code names its file: "Create `file`"
 * before a new file, "In `file`" before a diff.
 * @throws {Error} when a block has no file
 */
const changesIn = (page: string): readonly Change[] =>
  [...page.matchAll(/^```(diff|ts)\n(.*?)^```$/gms)].map(({ index, 1: language, 2: code = '' }) => {
    const paragraph = page.slice(0, index).trimEnd().split('\n\n').at(-1) ?? '';
    const [, verb, file] = [...paragraph.matchAll(namedFile)].at(-1) ?? [];
    if (file === undefined || (verb === 'In') !== (language === 'diff')) {
      throw new Error(`The page does not say what to do with this block:\n${code}`);
    }
    return { file, isNew: verb === 'Create', code };
  });

/**
 * Applies a page that says how to change the project. A diff has no line numbers, and `@@` between its parts.
 * The context and the removed lines of a part must occur in the file exactly once.
 * @throws {Error} when a block has no file, a new file exists, or a part of a diff does not fit in one place
 */
export const applyRecipe = (page: string, folder: string): void => {
  for (const { file, isNew, code } of changesIn(page)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    if (isNew) writeFileSync(path, code, { flag: 'wx' });
    else writeFileSync(path, patched(readFileSync(path, 'utf8'), code, file));
  }
};

/** The recipes that a project does not have yet: a recipe that it has cannot be applied again. */
export const recipesLeft = (folder: string): readonly (typeof recipes)[number][] =>
  recipes.filter((recipe) => !isApplied(recipeIn(folder, recipe), folder));

/** Whether a project has the new files of a page or, if the page creates no file, the lines that it adds. */
const isApplied = (page: string, folder: string): boolean => {
  const changes = changesIn(page);
  const created = changes.filter(({ isNew }) => isNew);
  if (created.length > 0) return created.every(({ file }) => existsSync(join(folder, file)));
  return changes.every(({ file, code }) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return addedLines(code).every((lines) => text.includes(lines));
  });
};

/** The runs of adjacent lines that a diff adds. The lines without a plus separate the runs. */
const addedLines = (diff: string): readonly string[] =>
  diff
    .split(/^(?!\+).*\n/m)
    .filter((lines) => lines !== '')
    .map((lines) => lines.replaceAll(/^\+/gm, ''));

/** The files that a page creates. */
export const filesCreatedBy = (page: string): readonly string[] =>
  [...page.matchAll(namedFile)].flatMap(([, verb, file = '']) => (verb === 'Create' ? [file] : []));

/**
 * The text of a file after a diff. In each part, the context with the removed lines must occur once, and the
 * context with the added lines replaces it.
 */
const patched = (text: string, diff: string, file: string): string =>
  diff.split(/^@@\n/m).reduce((before, part) => {
    const lines = part.trimEnd().split('\n');
    const linesWithout = (sign: string): string =>
      lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join('');
    const places = before.split(linesWithout('+'));
    if (places.length !== 2) {
      throw new Error(`${file} has ${String(places.length - 1)} places for this part of a diff:\n${part}`);
    }
    return places.join(linesWithout('-'));
  }, text);
