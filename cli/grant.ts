import { setTimeout } from 'node:timers/promises';
import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { UserError } from '../terminal/user-error.ts';
import { batchWriter } from './table/batch-writer.ts';
import { count } from '../terminal/count.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant, PlantTable } from './table/plant-table.ts';
import { principalText } from './principal.ts';
import { deleteRequest, putRequest } from './table/write-requests.ts';

/** Gives a principal a plant that another one has. */
export const grant = async (
  id: string,
  { to, from, ...options }: TableOptions & { readonly to: string; readonly from?: string },
): Promise<void> => {
  const table = await findTable(options);
  const found = await findGrants(table, id, from);
  const [plant, ...others] = new Map(
    found.flatMap((each) => (each.plant === undefined ? [] : [[JSON.stringify(each.plant), each.plant]])),
  ).values();
  if (plant === undefined)
    throw new UserError('The item with this id is damaged. See “Damaged items” in docs/runbook.md.');
  if (others.length > 0)
    throw new UserError(
      `${String(others.length + 1)} different plants have this id${
        from === undefined
          ? '. Say with --from whose is meant.'
          : ' there. Revoke them, and import the right one again.'
      }`,
    );
  await write(table, [putRequest(to, plant)]);
  process.stderr.write('Granted.\n');
};

export interface RevokeOptions extends TableOptions {
  /** A partition of the table. */
  readonly from: string;
  readonly all?: boolean;
}

/** Takes a plant, or all of them, from a principal. */
export const revoke = async (
  id: string | undefined,
  { from, all = false, ...options }: RevokeOptions,
): Promise<void> => {
  if ((id === undefined) !== all) throw new UserError('Pass the id of one plant, or --all.');
  const table = await findTable(options);
  const grants = id === undefined ? await allGrants(table, from) : await findGrants(table, id, from);
  await write(table, grants.map(deleteRequest));
  process.stderr.write(`${count(grants.length, 'plant')} revoked.\n`);
};

const allGrants = async (table: PlantTable, principal: string): Promise<readonly Grant[]> => {
  const grants: Grant[] = [];
  for await (const page of table.plantsOf(principal)) grants.push(...page);
  return grants;
};

/** Takes a plant from everybody. */
export const remove = async (id: string, options: TableOptions): Promise<void> => {
  const table = await findTable(options);
  const found = await findGrants(table, id);
  // A plant is told from others by its name as well.
  if (new Set(found.map(({ sortKey }) => sortKey)).size > 1) {
    const owners = [...new Set(found.map(({ principal }) => principalText(principal)))].join(', ');
    throw new UserError(
      `Different plants have this id, of ${owners}. Nothing was removed: take the right one away with revoke --from.`,
    );
  }
  await write(table, found.map(deleteRequest));
  const principals = new Set(found.map(({ principal }) => principal));
  process.stderr.write(`Removed from ${count(principals.size, 'partition')}.\n`);
};

const findGrants = async (table: PlantTable, id: string, principal?: string): Promise<readonly Grant[]> => {
  const found = await table.grantsOf(id, principal);
  if (found.length === 0)
    throw new UserError(
      `There is no plant with this id${principal === undefined ? '' : ' there'}. The ids are in what list and export print.`,
    );
  return found;
};

const write = async ({ writeOnce }: PlantTable, requests: readonly WriteRequest[]): Promise<void> => {
  const writer = batchWriter(writeOnce, setTimeout);
  for (const request of requests) await writer.put(request);
  await writer.finish();
};
