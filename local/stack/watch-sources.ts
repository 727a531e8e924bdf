import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../infra/bundle.ts';

/** A change in these folders changes the stack; `table/` is in the functions' bundles, too. */
const stackFolders: ReadonlySet<string> = new Set(['infra', 'table']);

/** Longer than the pause between two saves of one action of an editor or of git, in milliseconds. */
const quietTime = 50;

/**
 * Runs an action shortly after the last of several changes of sources, never twice at once.
 * @param update must not reject; receives whether the stack can have changed, and not only the functions
 */
export const watchSources = (update: (changesStack: boolean) => Promise<void>): void => {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let changesStack = false;
  let running = Promise.resolve();

  const run = (): Promise<void> => {
    const isStackChange = changesStack;
    changesStack = false;
    return update(isStackChange);
  };
  // Each folder on its own: the recursive watcher of Linux loses a file that an editor replaces.
  const watchFolders = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [...stackFolders, 'functions'].flatMap((folder) =>
      [folder, ...foldersIn(folder)].map((each) =>
        watch(join(projectFolder, each), () => {
          changesStack ||= stackFolders.has(folder);
          clearTimeout(timer);
          timer = setTimeout(() => {
            // There may be new folders.
            watchFolders();
            running = running.then(run);
          }, quietTime);
        }),
      ),
    );
  };
  watchFolders();
};

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(projectFolder, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(projectFolder.length));
