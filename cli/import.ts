import type { Principal } from '../table/principal.ts';
import { UserError } from '../terminal/user-error.ts';
import { toUserError } from './to-user-error.ts';
import { count } from '../terminal/count.ts';
import { addedTo, type Destination, insteadOf, onlyCounted } from './destinations.ts';
import type { TableOptions } from './table/find-table.ts';
import { onInterruption } from './interruption.ts';
import { FileError } from './rows/file-error.ts';
import { openInput } from './rows/open-input.ts';
import { plantOf } from './rows/plant-row.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Format } from './rows/format.ts';
import { rowReader } from './rows/read-rows.ts';
import { placeOf } from './rows/row.ts';
import { refusedRows } from './rows/refused-rows.ts';
import { seenIds } from './rows/seen-ids.ts';

export interface ImportOptions extends TableOptions {
  readonly to: Principal;
  readonly format?: Format;
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly strict?: boolean;
  readonly refused?: string;
}

/** The progress is updated once for this many rows. */
const rowsPerUpdate = 100;

/**
 * Loads the plants of a file. Without `replace` it deletes nothing; a plant with the same name and id is replaced.
 * @returns the exit code
 * @throws {UserError} when the import cannot start
 */
export const importPlants = async (path: string, options: ImportOptions): Promise<number> => {
  using interruption = onInterruption();
  const input = openInput(path, interruption.signal);
  const readRows = rowReader(path, options.format);
  const refused = refusedRows(options.refused, path);
  const destination = await destinationOf(options, interruption.signal);
  const seen = seenIds();
  const progress = startProgress(input.totalBytes, process.stderr);

  let rows = 0;
  let stoppedAt: string | undefined;
  const load = async (): Promise<void> => {
    for await (const row of readRows(input.chunks)) {
      rows += 1;
      const plant = plantOf(row);
      const before = typeof plant === 'string' ? undefined : seen.add(plant.id, placeOf(row));
      if (typeof plant !== 'string' && before === undefined) await destination.put(plant);
      else {
        await refused.add(row, typeof plant === 'string' ? plant : `has the id of line ${before ?? ''}`);
        if (options.strict === true) {
          stoppedAt = placeOf(row);
          return;
        }
      }
      if (rows % rowsPerUpdate === 0) progress.update(rows, input.bytesRead());
    }
  };

  let failure: Error | undefined;
  const keep = (error: unknown): void => {
    failure ??= toUserError(error);
  };
  // When reading fails, the rows before the failure are still loaded.
  await load().catch(keep);
  await refused.close().catch(keep);
  const isWhole = failure === undefined && refused.count() === 0;
  await destination.finish(isWhole).catch(keep);
  seen.close();
  progress.stop();

  const stopCode = interruption.exitCode();
  const isInterrupted = stopCode !== undefined;
  const outcome = { destination, refused: refused.count(), isInterrupted, stoppedAt, failure };
  // A defect is shown with its stack.
  if (failure !== undefined && !(failure instanceof UserError) && stopCode === undefined)
    console.error(failure);
  process.stderr.write([...refused.summary(), conclusion(outcome, options.dryRun === true), ''].join('\n'));
  return stopCode ?? (failure === undefined && refused.count() === 0 ? 0 : 1);
};

interface Outcome {
  readonly destination: Destination;
  readonly refused: number;
  readonly isInterrupted: boolean;
  readonly stoppedAt: string | undefined;
  readonly failure: Error | undefined;
}

/** The last line that is printed. */
const conclusion = (
  { destination, refused, isInterrupted, stoppedAt, failure }: Outcome,
  isDryRun: boolean,
): string => {
  const done = destination.done();
  const next = (advice: string): string => (isDryRun ? '' : ` ${advice}`);
  if (isInterrupted) return `Interrupted: ${done}.${next(again)}`;
  if (failure !== undefined) {
    const problem = failure instanceof UserError ? failure.message : 'The import failed.';
    const advice = failure instanceof FileError ? fix : again;
    return destination.hasBegun() ? `${problem} At least ${done}.${next(advice)}` : problem;
  }
  if (stoppedAt !== undefined) return `Stopped at line ${stoppedAt} (--strict): ${done}.${next(fix)}`;
  return `${done}, ${count(refused, 'row')} refused.`;
};

/** The AWS SDK is loaded only where the table is used. */
const destinationOf = async (options: ImportOptions, signal: AbortSignal): Promise<Destination> => {
  const { to, replace = false, dryRun: isDryRun = false } = options;
  if (isDryRun && !replace) return onlyCounted();
  const { findTable } = await import('./table/find-table.ts');
  const table = await findTable(options, signal);
  return replace ? insteadOf(table, to, { isDryRun, signal }) : addedTo(table, to);
};

const fix = 'Fix the file and run the same command again. Rows already loaded are not duplicated.';
const again = 'Run the same command again for the rest. Rows already loaded are not duplicated.';
