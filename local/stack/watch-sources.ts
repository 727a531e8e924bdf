import { type FSWatcher, globSync, watch } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../infra/bundle.ts';

/** Longer than the pause between two writes of one save or one git command. */
const debounceMs = 50;

/**
 * Runs `update`, debounced, after changes of sources, and never twice at once.
 * @param update must not reject; receives whether the stack may have changed, and a signal that aborts when
 * it changes again
 */
export const watchSources = (update: (changesStack: boolean, signal: AbortSignal) => Promise<void>): void => {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let changesStack = false;
  let outdated = new AbortController();
  let running = Promise.resolve();

  const run = (): Promise<void> => {
    const isStackChange = changesStack;
    changesStack = false;
    outdated = new AbortController();
    return update(isStackChange, outdated.signal);
  };
  const changed = (folder: string): void => {
    // `infra/` and `table/` define the stack. Functions are bundled again after any change.
    if (!folder.startsWith('functions')) {
      changesStack = true;
      outdated.abort();
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      // There may be new folders.
      watchFolders();
      running = running.then(run);
    }, debounceMs);
  };
  // Each folder on its own: the recursive watcher of Linux loses a file that an editor replaces.
  const watchFolders = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = globSync(['functions/**/', 'infra/**/', 'table/**/'], { cwd: projectFolder }).map((folder) =>
      watch(join(projectFolder, folder), () => {
        changed(folder);
      }),
    );
  };
  watchFolders();
};
