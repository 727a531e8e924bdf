import { type FSWatcher, globSync, watch } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../cli/terminal/user-error.ts';

/** Longer than the pause between two writes of one save or one git command. */
export const debounceMs = 50;

const folders = ['infra', '{functions,local,table}/**/'];
const source = /^(functions|local|table)\b|^infra(\/operations\.ts)?$/;

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
  let watchers: readonly FSWatcher[] = [];
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let hasFailed = false;

  const handle = async (): Promise<void> => {
    const paths = [...changed];
    changed = new Set();
    if (paths.length > 0) await onChange(paths);
  };
  const note = (path: string): void => {
    if (!source.test(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      // There may be new folders, also in the place of others.
      watchAll();
      running = running.then(handle);
    }, debounceMs);
  };
  const watchFolder = (folder: string): FSWatcher | readonly [] => {
    try {
      return watch(join(root, folder), (_, file) => {
        note(join(folder, file ?? ''));
      }).on('error', () => undefined);
    } catch (error) {
      const code = codeOf(error);
      // A removed folder is a change of its parent.
      if (code !== 'ENOENT' && !hasFailed) onFailure(code ?? String(error));
      hasFailed ||= code !== 'ENOENT';
      return [];
    }
  };
  // Each folder on its own: the recursive watcher of Linux loses a file that an editor replaces.
  const watchAll = (): void => {
    const previous = watchers;
    // With the project's folder, because a switch to another branch can remove and create the others.
    watchers = ['.', ...globSync(folders, { cwd: root })].flatMap(watchFolder);
    // Closed after, because a change that was not read yet is lost with a folder's last watcher.
    for (const watcher of previous) watcher.close();
  };
  watchAll();
};
