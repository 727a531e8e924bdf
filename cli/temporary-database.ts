import { DatabaseSync } from 'node:sqlite';

/** A database in a temporary file with a bounded cache, for what may be more than fits in memory. */
export const temporaryDatabase = (schema: string): DatabaseSync => {
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA cache_size = -16000;
    ${schema};
    BEGIN;
  `);
  return database;
};
