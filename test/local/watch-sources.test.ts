import { mkdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { debounceMs, watchSources } from '../../local/watch-sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('reports a change that is saved just when a previous one is reported', async () => {
  const root = temporaryFolder();
  for (const name of ['functions', 'table']) mkdirSync(join(root, name));
  const save = (path: string): void => {
    writeFileSync(join(root, path), '');
  };
  // Notices the first save before the watcher of the sources, so its timer ends before that watcher's.
  const first = watch(join(root, 'functions')).once('change', () => {
    setTimeout(save, debounceMs, 'table/second');
  });
  const reported = new Set<string>();
  watchSources(
    root,
    (paths) => {
      for (const path of paths) reported.add(path);
      return Promise.resolve();
    },
    (code) => expect.fail(code),
  );
  save('functions/first');
  await expect.poll(() => [...reported].sort()).toEqual(['functions/first', 'table/second']);
  first.close();
});
