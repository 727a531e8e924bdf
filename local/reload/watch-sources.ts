import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { watch } from 'chokidar';
import { projectFolder } from '../../terminal/local-service.ts';
import { codeOf } from '../../terminal/user-error.ts';

/** Folders that are watched with all files in them, except temporary files of editors. */
const sourceFolders = ['functions', 'local', 'table'];
/** The files of `infra/` that are watched. */
const infraFiles = ['infra/operations.ts', 'infra/operation-definition.ts', 'infra/timeouts.ts'];

/** Whether a file is an editor's, such as `.main.ts.swp`, `#main.ts#` and `main.ts~`. */
const isTemporary = (name: string): boolean => /^[.#]|~$/.test(name);

/**
 * Whether a file or folder is watched. The project's folder (an empty path) is watched, too, because a switch
 * to another branch can remove and create the folders in it.
 */
const isSource = (path: string): boolean => {
  const [folder = '', ...names] = path.split('/');
  if (folder === 'infra') return names.length === 0 || infraFiles.includes(path);
  return path === '' || (sourceFolders.includes(folder) && !names.some(isTemporary));
};

/** Files in `local/` that only the process of the functions loads, or that `npm start` does not load. */
const notReadAtStart = [
  /^local\/(api|lambda\/(error-lines|invoke|json-console)|reload\/(worker|load-problem))\.ts$/,
  /^local\/(page\/browser|sam-events)\/|^local\/issuer\/token\.ts$|\.d\.ts$/,
];

/** Whether a change of a source has no effect before a restart, because the gateway has loaded the source. */
export const needsRestart = (path: string): boolean =>
  path.startsWith('local/') && !notReadAtStart.some((files) => files.test(path));

/** Watches the sources of the API. Prints a message if it cannot notice every change. */
export const watchSources = (onChange: () => void): void => {
  const isIgnored = (path: string): boolean => !isSource(relative(projectFolder, path));
  watch('.', { cwd: projectFolder, ignoreInitial: true, ignored: isIgnored })
    .on('all', (_, path) => {
      if (needsRestart(path)) console.log(`${path} is only read at the start: restart npm start.`);
      onChange();
    })
    .once('error', (error) => {
      const code = codeOf(error) ?? String(error);
      console.error(`File watching stopped (${code}). Restart npm start after each change.`);
    })
    .on('error', () => undefined);
  for (const link of sourceLinks())
    console.error(
      `${link} is a link, so a change of its target may go unnoticed. Restart npm start after each change.`,
    );
};

/** The sources that are symbolic links. An editor can replace a link's target, which is then not watched. */
const sourceLinks = (): readonly string[] =>
  globSync([...sourceFolders.flatMap((folder) => [folder, `${folder}/**`]), 'infra', ...infraFiles], {
    cwd: projectFolder,
    withFileTypes: true,
  })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ parentPath, name }) => relative(projectFolder, join(parentPath, name)))
    .filter(isSource);
