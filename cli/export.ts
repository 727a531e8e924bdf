import { UserError } from '../terminal/user-error.ts';
import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { startProgress } from '../terminal/progress.ts';
import { shownPrincipal } from './principal.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import { writeOutput } from './write-output.ts';

export interface ExportOptions extends TableOptions {
  readonly from: Principal;
  readonly failIfEmpty?: boolean;
}

/**
 * Writes a principal's plants to standard output in name order, one JSON object on each line.
 * @throws {UserError} after the export, if damaged items were left out, or if there was nothing to export and that is
 * not expected
 */
export const exportPlants = async ({
  from,
  failIfEmpty = false,
  ...options
}: ExportOptions): Promise<void> => {
  const table = await findTable(options, new AbortController().signal);
  const progress = startProgress(undefined, process.stderr);
  let exported = 0;
  let damaged = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const page of table.plantsOf({ principal: from })) {
      const plants = page.flatMap(({ plant }) => (plant === undefined ? [] : [plant]));
      exported += plants.length;
      damaged += page.length - plants.length;
      progress.stop();
      yield plants.map((plant) => `${JSON.stringify(plant)}\n`).join('');
      progress.update(exported, 0);
    }
    progress.stop();
  };
  if (!(await writeOutput(lines()))) return;
  process.stderr.write(`${count(exported, 'plant')} exported.\n`);
  if (damaged > 0)
    throw new UserError(
      `${count(damaged, 'damaged item')} left out. See “Damaged items” in docs/runbook.md.`,
    );
  if (failIfEmpty && exported === 0) throw new UserError(`${shownPrincipal(from)} has no plants.`);
};
