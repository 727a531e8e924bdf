import { textOf } from '../table/item.ts';
import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { startProgress } from '../terminal/progress.ts';
import { UserError } from '../terminal/user-error.ts';
import { resumable } from './interruption.ts';
import { compareTables, type Comparison, type Difference } from './table/compare-tables.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant, StoredItem } from './table/grant.ts';
import { waitUntilAborted } from './table/patience.ts';
import { readPace } from './table/read-pace.ts';
import { taskPool } from './table/task-pool.ts';

export interface RestoreOptions extends TableOptions {
  /** The name of the table whose content is wanted, at the same place. */
  readonly fromTable: string;
  /** Undefined: everyone. */
  readonly principal?: Principal;
  readonly dryRun?: boolean;
  readonly allowEmpty?: boolean;
  /** Read units per second of both tables together. */
  readonly readUnits: number;
}

const writesAtOnce = 32;

/** How many items differ, and how. */
type Counts = Record<'missing' | 'different' | 'extra', number>;

/**
 * Makes the table, or one partition, what another table holds.
 * @returns the exit code
 */
export const restore = async ({
  fromTable,
  principal,
  dryRun = false,
  allowEmpty = false,
  readUnits,
  ...options
}: RestoreOptions): Promise<number> => {
  let written = 0;
  const run = async (signal: AbortSignal): Promise<number> => {
    const table = await findTable(options, signal);
    const model = table.beside(fromTable);
    if (table.isNamed(fromTable))
      throw new UserError('--from-table is the table itself. Pass the name of the table to restore from.');
    const pace = readPace(readUnits, waitUntilAborted(signal));
    if (!allowEmpty && (await model.isEmpty(principal)))
      throw new UserError(
        `${fromTable} has no items${principal === undefined ? '' : ' of --principal'}. Nothing was changed. To delete them here too, pass --allow-empty.`,
      );
    const write = async ({ wanted, found }: Difference): Promise<void> => {
      signal.throwIfAborted();
      if (await table.replace(wanted, found)) written += 1;
    };
    const tables = { model, table, principal, pace };
    // A write has the condition that the item is as it was read, so that reads need not be consistent.
    const counts = await compare({ ...tables, isConsistent: false }, dryRun ? undefined : write);
    process.stderr.write(`${countsText(counts)}.\n`);
    if (dryRun || total(counts) === 0) return 0;
    const meanwhile = await compare({ ...tables, isConsistent: true });
    if (total(meanwhile) > 0)
      throw new UserError(`Other commands wrote meanwhile: ${countsText(meanwhile)} again.`);
    process.stderr.write(`Nothing else was written meanwhile: the table holds what ${fromTable} holds.\n`);
    return 0;
  };
  return resumable(run, () => (written === 0 ? undefined : `${count(written, 'item')} restored`));
};

const compare = async (
  tables: Pick<Comparison, 'model' | 'table' | 'principal' | 'pace' | 'isConsistent'>,
  write?: (difference: Difference) => Promise<void>,
): Promise<Counts> => {
  const counts: Counts = { missing: 0, different: 0, extra: 0 };
  const writes = taskPool(writesAtOnce);
  const progress = startProgress(undefined, process.stderr);
  let read = 0;
  try {
    await compareTables({
      ...tables,
      wantedFor,
      onRead: (items) => {
        read += items;
        progress.update(read, 0);
      },
      onDifference: async (difference) => {
        counts[kindOf(difference)] += 1;
        if (write !== undefined) await writes.start(() => write(difference));
      },
    });
  } finally {
    await writes.finish();
    progress.stop();
  }
  return counts;
};

const kindOf = ({ wanted, found }: Difference): keyof Counts => {
  if (found === undefined) return 'missing';
  return wanted === undefined ? 'extra' : 'different';
};

const total = ({ missing, different, extra }: Counts): number => missing + different + extra;

const countsText = (counts: Counts): string =>
  (['missing', 'different', 'extra'] as const)
    .map((kind) => `${counts[kind].toLocaleString('en')} ${kind}`)
    .join(', ');

/** An item as it was, and in the index too unless it is damaged. The index takes no other ids than texts. */
const wantedFor = ({ plant, item: { plantId, ...item } }: Grant): StoredItem => {
  if (plantId !== undefined && (textOf(plantId) ?? '') !== '') return { ...item, plantId };
  return plant === undefined ? item : { ...item, plantId: { S: plant.id } };
};
