import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { needsRestart } from '../../../local/reload/watch-sources.ts';
import { projectFolder } from '../../../terminal/local-service.ts';

/** The files in `local/` that a file loads, by static imports of values. */
const filesLoadedBy = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (!file.startsWith('local/') || found.has(file)) return found;
  found.add(file);
  const content = readFileSync(join(projectFolder, file), 'utf8');
  for (const [, path = ''] of content.matchAll(/^(?:import (?!type )|\} )[^;]*?from '(\.[^']+)';/gm))
    filesLoadedBy(join(dirname(file), path), found);
  return found;
};

it('asks for a restart after a change of exactly the files that local/main.ts loads', () => {
  const files = globSync('local/**/*.*', { cwd: projectFolder });
  expect(files.filter(needsRestart).toSorted()).toEqual([...filesLoadedBy('local/main.ts')].toSorted());
});
