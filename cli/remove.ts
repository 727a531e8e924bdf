import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import { principalText } from './principal.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import { deleteRequest } from './table/write-requests.ts';

/** Revokes everyone's access to a plant. */
export const remove = async (id: string, options: TableOptions): Promise<void> => {
  const table = await findTable(options);
  const found = await table.grantsOf(id);
  // The name is a part of a plant's identity.
  if (new Set(found.map(({ sortKey }) => sortKey)).size > 1) {
    const owners = [...new Set(found.map(({ principal }) => principalText(principal)))].join(', ');
    throw new UserError(
      `Different plants have this id: those of ${owners}. Nothing was removed. Revoke the right one with revoke --from.`,
    );
  }
  await table.write(found.map(deleteRequest));
  process.stderr.write(`Removed from ${count(found.length, 'partition')}.\n`);
};
