import { globSync, lstatSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

const groupAndOthersWrite = 0o022;

/** Removes the bundles of earlier syntheses that another user could have changed: CDK keeps what is already there. */
export const removeWritableAssets = (assembly: string): void => {
  for (const entry of globSync(['asset.*', 'asset.*/**', 'bundling-temp-*'], { cwd: assembly })) {
    const { mode = 0 } = lstatSync(join(assembly, entry), { throwIfNoEntry: false }) ?? {};
    const [asset = entry] = entry.split(sep);
    if ((mode & groupAndOthersWrite) !== 0) rmSync(join(assembly, asset), { recursive: true });
  }
};
