import type { Principal } from '../table/principal.ts';
import { UserError } from '../terminal/user-error.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import { putRequest } from './table/write-requests.ts';

export interface GrantOptions extends TableOptions {
  readonly to: Principal;
  readonly from?: Principal;
}

/** Grants a principal access to a plant that another principal has access to. */
export const grant = async (id: string, { to, from, ...options }: GrantOptions): Promise<void> => {
  const table = await findTable(options);
  const found = await table.grantsOf(id, from);
  const [plant, ...others] = new Map(
    found.flatMap((each) => (each.plant === undefined ? [] : [[JSON.stringify(each.plant), each.plant]])),
  ).values();
  if (plant === undefined)
    throw new UserError('The item with this id is damaged. See “Damaged items” in docs/runbook.md.');
  if (others.length > 0)
    throw new UserError(
      `${String(others.length + 1)} different plants have this id${
        from === undefined
          ? '. Name the principal whose plant you mean with --from.'
          : ' in --from. Revoke them, and import the right one again.'
      }`,
    );
  await table.write([putRequest(to, plant)]);
  process.stderr.write('Granted.\n');
};
