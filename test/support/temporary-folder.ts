import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest's global setup: gives the run a temporary folder of its own, and removes it afterwards. */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-tests-'));
  process.env['TMPDIR'] = folder;
  return () => {
    // Retries, because a process that a failed test left can still write to the folder.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
};

/** A new folder, which is removed after the run. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'plant-store-'));
