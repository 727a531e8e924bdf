import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { textOf } from '../../table/item.ts';
import type { IdentifiedPlant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import { idIn, nameIn, sortKeyOf } from '../../table/sort-key.ts';
import { temporaryDatabase } from '../temporary-database.ts';
import type { Grant } from './grant.ts';
import type { PlantTable } from './plant-table.ts';
import { deleteRequest, putRequest } from './write-requests.ts';

/** What a plant of the file is to the table. Items without the right `plantId` are written, but not counted. */
type State = 'added' | 'changed' | 'unindexed' | 'same';

/** How many plants are to be added, to get another tag, or to be removed. */
export interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** The plants of a file, which are to be a principal's only ones. */
export interface Replacement {
  readonly add: (plant: IdentifiedPlant) => void;
  /** Compares the file with the table. */
  readonly changes: () => Promise<Changes>;
  /** The writes of what is to be added or changed. */
  readonly puts: () => Iterable<WriteRequest>;
  /** The deletions of what the file does not have. */
  readonly deletions: () => Iterable<WriteRequest>;
  readonly close: () => void;
}

const plantRow = z.object({ sortKey: z.string(), tag: z.string().nullable() });
const countRow = z.object({ count: z.number() });

export const replacement = (table: PlantTable, principal: Principal): Replacement => {
  // Small, because the ids of the file have such a database too.
  const database = temporaryDatabase(`
    PRAGMA cache_size = -4000;
    CREATE TABLE file (sortKey TEXT PRIMARY KEY, tag TEXT, state TEXT);
    CREATE TABLE extra (sortKey TEXT)
  `);
  const insert = database.prepare('INSERT INTO file (sortKey, tag) VALUES (?, ?)');
  const select = database.prepare('SELECT sortKey, tag FROM file WHERE sortKey = ?');
  const mark = database.prepare('UPDATE file SET state = ? WHERE sortKey = ?');
  const insertExtra = database.prepare('INSERT INTO extra VALUES (?)');
  const countOf = (rows: string): number =>
    countRow.parse(database.prepare(`SELECT count(*) AS count FROM ${rows}`).get()).count;

  return {
    add: ({ id, name, tag }) => {
      insert.run(sortKeyOf(name, id), tag ?? null);
    },
    changes: async () => {
      database.exec(`UPDATE file SET state = 'added'; DELETE FROM extra`);
      for await (const page of table.plantsOf({ principal }))
        for (const grant of page) {
          const row = select.get(grant.sortKey);
          if (row === undefined) insertExtra.run(grant.sortKey);
          else mark.run(stateOf(grant, plantRow.parse(row).tag), grant.sortKey);
        }
      return {
        added: countOf(`file WHERE state = 'added'`),
        changed: countOf(`file WHERE state = 'changed'`),
        removed: countOf('extra'),
      };
    },
    puts: function* () {
      for (const row of database.prepare(`SELECT sortKey, tag FROM file WHERE state <> 'same'`).iterate()) {
        const { sortKey, tag } = plantRow.parse(row);
        yield putRequest(principal, {
          id: idIn(sortKey),
          name: nameIn(sortKey),
          ...(tag !== null && { tag }),
        });
      }
    },
    deletions: function* () {
      for (const row of database.prepare('SELECT sortKey, NULL AS tag FROM extra').iterate())
        yield deleteRequest({ principal, sortKey: plantRow.parse(row).sortKey });
    },
    close: () => {
      database.close();
    },
  };
};

const stateOf = ({ plant, item }: Grant, tag: string | null): State => {
  if (plant === undefined || (plant.tag ?? null) !== tag) return 'changed';
  return textOf(item['plantId']) === plant.id ? 'same' : 'unindexed';
};
