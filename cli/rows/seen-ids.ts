import { DatabaseSync } from 'node:sqlite';

/** The ids in a file, with the places of their rows. */
export interface SeenIds {
  /** @returns the place of the earlier row with this id */
  readonly add: (id: string, place: string) => string | undefined;
  readonly close: () => void;
}

/** Keeps them in a temporary database with a bounded cache, since a file can hold more ids than fit in memory. */
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
