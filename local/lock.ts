import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../cli/terminal/user-error.ts';
import { bundlesFolder, runningService, serviceFile, stateFolder } from './service-file.ts';

/** Node.js cannot lock files, but SQLite can. The lock ends when its process ends or is killed. */
const lockFile = join(stateFolder, 'lock.db');

/**
 * Locks this checkout for one service until its process ends.
 * @throws {UserError} when another service has the lock, with its address
 */
export const lockCheckout = (): void => {
  mkdirSync(stateFolder, { recursive: true });
  const database = new DatabaseSync(lockFile);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    if (!String(error).includes('is locked')) throw error;
    const state = existsSync(serviceFile) ? `runs at ${runningService().baseUrl}` : 'is starting';
    throw new UserError(`Another npm start of this checkout ${state}. Use it, or stop it first.`);
  }
  const remove = (): void => {
    for (const each of [serviceFile, bundlesFolder]) rmSync(each, { recursive: true, force: true });
  };
  // The files of a service that was killed.
  remove();
  process.once('exit', () => {
    remove();
    database.close();
  });
};
