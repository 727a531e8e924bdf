import { z } from 'zod';
import { idIn, nameIn } from '../../table/sort-key.ts';
import { temporaryDatabase } from '../temporary-database.ts';
import type { GrantKey } from './grant.ts';

/** An id under which a principal has one of several plants. */
const ambiguous = z.object({ id: z.string(), name: z.string(), principal: z.string() });
export type AmbiguousGrant = Readonly<z.infer<typeof ambiguous>>;

/** Collects keys, to find the ids with several names. */
export interface PlantsById {
  readonly add: (key: GrantKey) => void;
  /** By id and name. */
  readonly withSeveralNames: () => Iterable<AmbiguousGrant>;
  readonly close: () => void;
}

/** Takes about 100 bytes of temporary disk for each key. */
export const plantsById = (): PlantsById => {
  // A sort takes as much memory as the cache, and one cache is enough for rows that are only appended.
  const database = temporaryDatabase(`
    PRAGMA cache_size = -2000;
    CREATE TABLE grants (id TEXT, name TEXT, principal TEXT)
  `);
  const insert = database.prepare('INSERT INTO grants VALUES (?, ?, ?)');
  return {
    add: ({ principal, sortKey }) => {
      insert.run(idIn(sortKey), nameIn(sortKey), principal);
    },
    withSeveralNames: function* () {
      const rows = database.prepare(`
        SELECT id, name, principal FROM grants
        WHERE id IN (SELECT id FROM grants GROUP BY id HAVING min(name) <> max(name))
        ORDER BY id, name, principal
      `);
      for (const row of rows.iterate()) yield ambiguous.parse(row);
    },
    close: () => {
      database.close();
    },
  };
};
