import { setImmediate } from 'node:timers/promises';
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
  /** Those of an id together, by name. */
  readonly withSeveralNames: () => AsyncIterable<AmbiguousGrant>;
  readonly close: () => void;
}

/** A query blocks the process, so each is about a part of the ids: Ctrl-C works between them. */
const parts = Array.from({ length: 64 }, (_each, part) => `part${String(part)}`);

/** Takes about 100 bytes of temporary disk for each key. */
export const plantsById = (signal: AbortSignal): PlantsById => {
  // A sort takes as much memory as the cache, and little is enough for rows that are only appended.
  const database = temporaryDatabase(`
    PRAGMA cache_size = -2000;
    ${parts.map((part) => `CREATE TABLE ${part} (id TEXT, name TEXT, principal TEXT)`).join(';')}
  `);
  const inserts = parts.map((part) => database.prepare(`INSERT INTO ${part} VALUES (?, ?, ?)`));
  return {
    add: ({ principal, sortKey }) => {
      const id = idIn(sortKey);
      inserts[partOf(id)]?.run(id, nameIn(sortKey), principal);
    },
    withSeveralNames: async function* () {
      for (const part of parts) {
        const rows = database.prepare(`
          SELECT id, name, principal FROM ${part}
          WHERE id IN (SELECT id FROM ${part} GROUP BY id HAVING min(name) <> max(name))
          ORDER BY id, name, principal
        `);
        for (const row of rows.iterate()) yield ambiguous.parse(row);
        await setImmediate();
        signal.throwIfAborted();
      }
    },
    close: () => {
      database.close();
    },
  };
};

/** The part of an id: the same for equal ids, and about as often as any other. */
const partOf = (id: string): number => {
  let hash = 0;
  for (let index = 0; index < id.length; index += 1) hash = (hash * 31 + id.charCodeAt(index)) % 65_521;
  return hash % parts.length;
};
