import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { watch } from 'chokidar';
import { codeOf } from '../../terminal/user-error.ts';
import { projectFolder as root } from '../../terminal/local-service.ts';

// With the project's folder, because a switch to another branch can remove and create the others. Without
// the temporary files of editors, such as .main.ts.swp.
const sources = /^(|(functions|local|table)(\/[^/.#][^/]*)*(?<!~)|infra(\/operations\.ts)?)$/;

/** Files in `local/` that the process of the functions loads, or that `npm start` does not load. */
const notOfGateway = [
  /^local\/(api|error-lines|json-console|lambda|reload\/worker|reload\/load-problem)\.ts$/,
  /^local\/(page\/browser|issuer\/token\.ts|sam-events)/,
];

/** Watches the sources of the API, and says so when it cannot notice every change. */
export const watchSources = (onChange: () => void): void => {
  watch('.', { cwd: root, ignoreInitial: true, ignored: (path) => !sources.test(relative(root, path)) })
    .on('all', (_, path) => {
      if (path.startsWith('local/') && !notOfGateway.some((files) => files.test(path)))
        console.log(`${path} is only read at the start: restart npm start.`);
      onChange();
    })
    .once('error', (error) => {
      const code = codeOf(error) ?? String(error);
      console.error(`Changes are not noticed (${code}). Restart npm start after a change.`);
    })
    .on('error', () => undefined);
  for (const link of sourceLinks())
    console.error(
      `${link} is a link. Restart npm start after a change of its target: it may not be noticed.`,
    );
};

/** The sources that are symbolic links. An editor can replace a link's target, which is then not watched. */
const sourceLinks = (): readonly string[] =>
  globSync(['{functions,local,table}{,/**}', 'infra{,/operations.ts}'], { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => sources.test(path));
