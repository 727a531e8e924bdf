import { DatabaseSync } from 'node:sqlite';

/** The ids of a file, with their lines. */
export interface SeenIds {
  /** @returns the line where the id was seen before */
  readonly add: (id: string, line: number) => number | undefined;
  readonly close: () => void;
}

/** Keeps them in a temporary database, a part of which is in memory: a file may hold more than memory does. */
export const seenIds = (): SeenIds => {
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA cache_size = -16000;
    CREATE TABLE seen (id TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID;
    BEGIN;
  `);
  const insert = database.prepare('INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = database.prepare('SELECT line FROM seen WHERE id = ?');
  return {
    add: (id, line) => (insert.run(id, line).changes === 1 ? undefined : Number(select.get(id)?.['line'])),
    close: () => {
      database.close();
    },
  };
};
