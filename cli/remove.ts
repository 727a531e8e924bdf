import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import { commandLine } from './command-line.ts';
import { deleteGrants } from './delete-grants.ts';
import { resumable } from './interruption.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { GrantKey } from './table/grant.ts';
import type { PlantTable } from './table/plant-table.ts';
import { whichPlant } from './which-plant.ts';

export interface RemoveOptions extends TableOptions {
  readonly name?: string;
}

/**
 * Revokes everyone's access to a plant.
 * @returns the exit code
 */
export const remove = async (id: string, { name, ...options }: RemoveOptions): Promise<number> => {
  let removed = (): number => 0;
  const done = (): string => `Removed from ${count(removed(), 'partition')}`;
  return resumable(
    async (signal) => {
      const table = await findTable(options, signal);
      const sortKey = await whichPlant(table, { id, name }, (each) =>
        commandLine(['remove', id], { name: each }, options),
      );
      const writer = table.writer();
      removed = writer.written;
      await deleteGrants(writer, grantsOf(table, id, sortKey), signal);
      const left = await grantsLeft(table, id, sortKey);
      if (left > 0)
        throw new UserError(`The plant was put again meanwhile, into ${count(left, 'partition')}.`);
      process.stderr.write(`${done()}.\n`);
      return 0;
    },
    () => (removed() === 0 ? undefined : done()),
  );
};

const grantsOf = async function* (
  table: PlantTable,
  id: string,
  sortKey: string,
): AsyncGenerator<readonly GrantKey[]> {
  for await (const keys of table.grantsOf(id)) yield keys.filter((key) => key.sortKey === sortKey);
};

/** How many items the index still has that are not gone: it follows the table after a moment. */
const grantsLeft = async (table: PlantTable, id: string, sortKey: string): Promise<number> => {
  let left = 0;
  for await (const keys of grantsOf(table, id, sortKey)) left += (await table.plantsAt(keys)).length;
  return left;
};
