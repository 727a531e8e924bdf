import { itemOf } from '../table/item.ts';
import type { Principal } from '../table/principal.ts';
import { idIn, nameIn } from '../table/sort-key.ts';
import { UserError } from '../terminal/user-error.ts';
import { commandLine, maxCommands, refusal } from './command-line.ts';
import { principalText, shownPrincipal } from './principal.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant, GrantKey } from './table/grant.ts';
import { MissingIndex, type PlantTable } from './table/plant-table.ts';
import { keysInReach, whichPlant } from './which-plant.ts';

export interface GrantOptions extends TableOptions {
  readonly to: Principal;
  readonly from?: Principal;
  readonly name?: string;
}

/** Grants a principal access to a plant that another principal has access to. */
export const grant = async (id: string, { to, from, name, ...options }: GrantOptions): Promise<void> => {
  const table = await findTable(options, new AbortController().signal);
  const grantFrom = (each: string, whose: string | undefined): string =>
    commandLine(
      ['grant', id],
      { name: each, to: principalText(to), from: whose && principalText(whose) },
      options,
    );
  const sortKey = await whichPlant(table, { id, name, from }, (each) => grantFrom(each, from));
  // Before the other grants, so that what is written to it from here on is noticed.
  const [before] = await table.plantsAt([{ principal: to, sortKey }]);
  const grants = await grantsByTag(table, { id, from, sortKey, before });
  const [source] = grants;
  if (source === undefined) throw new UserError('The plant was revoked meanwhile. Nothing was changed.');
  if (source.plant === undefined)
    throw new UserError('The item with this id is damaged. See “Damaged items” in docs/runbook.md.');
  if (grants.length > 1)
    throw refusal(
      'The plant has different tags. Nothing was changed. These commands take one of them:',
      grants.map(({ principal }) => grantFrom(nameIn(sortKey), principal)),
    );
  const revokeFromTarget = (each: string): string =>
    commandLine(['revoke', id], { name: each, from: principalText(to) }, options);
  const refuseOtherNames = async (problem: string): Promise<void> => {
    const names = await otherNamesOf(table, sortKey, to);
    if (names.length > 0) throw refusal(`${shownPrincipal(to)} ${problem}`, names.map(revokeFromTarget));
  };
  await refuseOtherNames('has another plant with this id. Nothing was changed. To revoke it:');
  if (!(await table.replace(itemOf(to, source.plant), before?.item)))
    throw new UserError(
      `${shownPrincipal(to)} got another version of the plant meanwhile. Run the same command again.`,
    );
  // A condition cannot be about other items than the one that is written.
  const [sourceNow] = await table.plantsAt([source]);
  if (sourceNow?.plant === undefined || sourceNow.plant.tag !== source.plant.tag)
    throw refusal(
      `${shownPrincipal(source.principal)} lost the plant or got another version of it meanwhile, but ${shownPrincipal(to)} has it now. To revoke it:`,
      [revokeFromTarget(nameIn(sortKey))],
    );
  await refuseOtherNames(
    'got another plant with this id meanwhile, and has both now. To revoke the other one:',
  );
  process.stderr.write('Granted.\n');
};

/** One grant for each tag that the plant has in reach, the target’s own included; a damaged one only if there is no other. */
const grantsByTag = async (
  table: PlantTable,
  {
    id,
    from,
    sortKey,
    before,
  }: {
    readonly id: string;
    readonly from: Principal | undefined;
    readonly sortKey: string;
    readonly before: Grant | undefined;
  },
): Promise<readonly Grant[]> => {
  const byTag = new Map<string | undefined, Grant>();
  // The index can lack it.
  if (from === undefined && before?.plant !== undefined) byTag.set(before.plant.tag, before);
  let damaged: Grant | undefined;
  for await (const keys of from === undefined ? table.grantsOf(id) : [[{ principal: from, sortKey }]])
    for (const each of await table.plantsAt(keys.filter((key) => key.sortKey === sortKey))) {
      if (each.plant === undefined) damaged = each;
      else if (byTag.size < maxCommands && !byTag.has(each.plant.tag)) byTag.set(each.plant.tag, each);
    }
  return byTag.size === 0 && damaged !== undefined ? [damaged] : [...byTag.values()];
};

/** Other names under which a principal has the id of this plant. */
const otherNamesOf = async (
  table: PlantTable,
  sortKey: string,
  principal: Principal,
): Promise<readonly string[]> => {
  const id = idIn(sortKey);
  const names = async (pages: AsyncIterable<readonly GrantKey[]>): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const keys of pages)
      found.push(...keys.filter((key) => key.sortKey !== sortKey).map((key) => nameIn(key.sortKey)));
    return found;
  };
  try {
    return await names(table.grantsOf(id, principal));
  } catch (error) {
    if (!(error instanceof MissingIndex)) throw error;
    return names(keysInReach(table, { id, from: principal }));
  }
};
