import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant, PlantTable } from './table/plant-table.ts';
import { deleteRequest } from './table/write-requests.ts';

export interface RevokeOptions extends TableOptions {
  readonly from: Principal;
  readonly all?: boolean;
}

/** Revokes a principal's access to one plant or to all. */
export const revoke = async (
  id: string | undefined,
  { from, all = false, ...options }: RevokeOptions,
): Promise<void> => {
  if ((id === undefined) !== all) throw new UserError('Pass the id of one plant, or --all.');
  const table = await findTable(options);
  const grants = id === undefined ? await allGrants(table, from) : await table.grantsOf(id, from);
  await table.write(grants.map(deleteRequest));
  process.stderr.write(`${count(grants.length, 'plant')} revoked.\n`);
};

const allGrants = async (table: PlantTable, principal: Principal): Promise<readonly Grant[]> => {
  const grants: Grant[] = [];
  for await (const page of table.plantsOf(principal)) grants.push(...page);
  return grants;
};
