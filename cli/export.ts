import { UserError } from '../terminal/user-error.ts';
import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import { writeOutput } from './write-output.ts';

export interface ExportOptions extends TableOptions {
  readonly from: Principal;
}

/**
 * Writes a principal's plants to standard output in name order, one JSON object on each line.
 * @throws {UserError} after the export, if damaged items were left out
 */
export const exportPlants = async ({ from, ...options }: ExportOptions): Promise<void> => {
  const table = await findTable(options);
  let damaged = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for await (const page of table.plantsOf(from)) {
      const plants = page.flatMap(({ plant }) => (plant === undefined ? [] : [plant]));
      damaged += page.length - plants.length;
      yield plants.map((plant) => `${JSON.stringify(plant)}\n`).join('');
    }
  };
  await writeOutput(lines());
  if (damaged > 0)
    throw new UserError(
      `${count(damaged, 'damaged item')} left out. See “Damaged items” in docs/runbook.md.`,
    );
};
