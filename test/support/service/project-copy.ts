import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFiles } from '../project-files.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** A copy of the project that tests can edit, and run beside a developer's service. */
export interface ProjectCopy {
  readonly folder: string;
  /**
   * Replaces the first occurrence of a text in a file.
   * @returns a function that restores the file
   */
  readonly edit: (file: string, text: string, replacement: string) => () => void;
  /** Saves a file without a change. */
  readonly touch: (file: string) => void;
  readonly remove: () => void;
}

export const copyProject = (): ProjectCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  for (const file of projectFiles()) cpSync(join(project, file), join(folder, file));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    edit: (file, text, replacement) => {
      const path = join(folder, file);
      const before = readFileSync(path, 'utf8');
      if (!before.includes(text)) throw new Error(`${file} does not contain ${text}.`);
      writeFileSync(path, before.replace(text, replacement));
      return () => {
        writeFileSync(path, before);
      };
    },
    touch: (file) => {
      const path = join(folder, file);
      writeFileSync(path, readFileSync(path));
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
