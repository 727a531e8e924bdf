import { relative } from 'node:path';
import { watch } from 'chokidar';
import { codeOf } from '../cli/terminal/user-error.ts';

/** Longer than the pause between two writes of one save or one git command. */
const debounceMs = 10;

// With the project's folder, because a switch to another branch can remove and create the others. Without
// the temporary files of editors, such as .main.ts.swp.
const sources = /^(|(functions|local|table)(\/[^/.#][^/]*)*(?<!~)|infra(\/operations\.ts)?)$/;

/**
 * Watches the sources of the API.
 * @param root the project's folder
 * @param onChange called with the paths that changed, debounced and never twice at once. It must not reject.
 * @param onFailure called once with an error's code when not everything can be watched
 */
export const watchSources = (
  root: string,
  onChange: (paths: readonly string[]) => Promise<void>,
  onFailure: (code: string) => void,
): void => {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const handle = async (): Promise<void> => {
    const paths = [...changed];
    changed = new Set();
    if (paths.length > 0) await onChange(paths);
  };
  watch('.', { cwd: root, ignoreInitial: true, ignored: (path) => !sources.test(relative(root, path)) })
    .on('all', (_, path) => {
      changed.add(path);
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(handle);
      }, debounceMs);
    })
    .once('error', (error) => {
      onFailure(codeOf(error) ?? String(error));
    })
    .on('error', () => undefined);
};
