import { DatabaseSync } from 'node:sqlite';

/** The ids of a file, with the places of their rows. */
export interface SeenIds {
  /** @returns the place where the id was seen before */
  readonly add: (id: string, place: string) => string | undefined;
  readonly close: () => void;
}

/** Keeps them in a temporary database, a part of which is in memory: a file may hold more than memory does. */
export const seenIds = (): SeenIds => {
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA cache_size = -16000;
    CREATE TABLE seen (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID;
    BEGIN;
  `);
  const insert = database.prepare('INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = database.prepare('SELECT place FROM seen WHERE id = ?');
  return {
    add: (id, place) => (insert.run(id, place).changes === 1 ? undefined : String(select.get(id)?.['place'])),
    close: () => {
      database.close();
    },
  };
};
