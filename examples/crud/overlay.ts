import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergedDescription } from './merged-description.ts';
import { mergedEntries } from './merged-entries.ts';

const overlay = fileURLToPath(new URL('.', import.meta.url));
export const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file, with the line ends of this project. */
const textOf = (folder: string, file: string): string =>
  readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
export const ownText = (file: string): string => textOf(checkout, file);

/**
 * The text of a file of the overlay, as it is copied. The fields of the overlay are in one declaration with
 * those of the checkout: here by a spread, so that types are checked, and in the copy as lines.
 */
export const overlayText = (file: string): string =>
  textOf(overlay, file)
    .replace(/^import .* as ownFields .*\n/, '')
    .replace(/\n\/\/ .*\nexport const fields = .*ownFields.*\n/, '')
    .replace('const moreFields', 'export const fields');

export const isInCheckout = (file: string): boolean => existsSync(join(checkout, file));

/** The files to copy, relative to the checkout: all files in folders of the overlay, but none beside them. */
export const overlayFiles: readonly string[] = readdirSync(overlay, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(overlay, name), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  .map((entry) => relative(overlay, join(entry.parentPath, entry.name)))
  .toSorted();

/** The files that are not replaced, but get more entries, because owners add their own entries to them. */
export const mergedFiles: readonly string[] = ['infra/operations.ts', 'table/fields.ts'];

/** An operation of the overlay that the checkout has, which shows that the overlay was applied. */
export const appliedOperation = overlayFiles.find(
  (file) => /^functions\/[^/]+\/handler\.ts$/.test(file) && isInCheckout(file),
);

/** The files of the checkout that the overlay replaces, each with the hash of its text. */
export const replacedFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    overlayFiles
      .filter((file) => isInCheckout(file) && !mergedFiles.includes(file))
      .map((file) => [file, hash('sha256', ownText(file))]),
  );

/** A file to write into the checkout. */
export interface Change {
  readonly file: string;
  readonly kind: 'added' | 'replaced' | 'merged';
  readonly text: string;
  /** Whether the checkout's own file has changes that this change would lose. */
  readonly losesWork: boolean;
}

export const changes = async (): Promise<readonly Change[]> => {
  const known: unknown = JSON.parse(overlayText('replaced.json'));
  const hashes = new Map(Object.entries(known instanceof Object ? known : {}));
  const replaced = replacedFiles();
  const copied = overlayFiles.map((file): Change => {
    const text = overlayText(file);
    if (!isInCheckout(file)) return { file, kind: 'added', text, losesWork: false };
    if (!mergedFiles.includes(file))
      return { file, kind: 'replaced', text, losesWork: replaced[file] !== hashes.get(file) };
    const merged = mergedEntries(ownText(file), text);
    return { file, kind: 'merged', text: merged ?? text, losesWork: merged === undefined };
  });
  const file = 'openapi.yaml';
  const text = await mergedDescription(ownText(file), overlayText(file));
  return [...copied, { file, kind: 'merged', text, losesWork: false }];
};
