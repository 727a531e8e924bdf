import { relative } from 'node:path';
import { watch } from 'chokidar';
import { codeOf } from '../cli/terminal/user-error.ts';
import { projectFolder as root } from './service-file.ts';

// With the project's folder, because a switch to another branch can remove and create the others. Without
// the temporary files of editors, such as .main.ts.swp.
const sources = /^(|(functions|local|table)(\/[^/.#][^/]*)*(?<!~)|infra(\/operations\.ts)?)$/;

/** Watches the sources of the API, and says so once when it cannot watch everything. */
export const watchSources = (onChange: (event: string, path: string) => void): void => {
  watch('.', { cwd: root, ignoreInitial: true, ignored: (path) => !sources.test(relative(root, path)) })
    .on('all', onChange)
    .once('error', (error) => {
      const code = codeOf(error) ?? String(error);
      console.error(`Changes are not noticed (${code}). Restart npm start after a change.`);
    })
    .on('error', () => undefined);
};
