import { temporaryDatabase } from '../temporary-database.ts';

/** The ids in a file, with the places of their rows. */
export interface SeenIds {
  /** @returns the place of the earlier row with this id */
  readonly add: (id: string, place: string) => string | undefined;
  readonly close: () => void;
}

export const seenIds = (): SeenIds => {
  const database = temporaryDatabase('CREATE TABLE seen (id TEXT PRIMARY KEY, place TEXT) WITHOUT ROWID');
  const insert = database.prepare('INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = database.prepare('SELECT place FROM seen WHERE id = ?');
  return {
    add: (id, place) => (insert.run(id, place).changes === 1 ? undefined : String(select.get(id)?.['place'])),
    close: () => {
      database.close();
    },
  };
};
