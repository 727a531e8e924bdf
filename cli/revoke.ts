import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import { commandLine } from './command-line.ts';
import { deleteGrants } from './delete-grants.ts';
import { resumable } from './interruption.ts';
import { keyHash } from './key-hash.ts';
import { principalText, shownPrincipal } from './principal.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { GrantKey } from './table/grant.ts';
import { whichPlant } from './which-plant.ts';

export interface RevokeOptions extends TableOptions {
  readonly from: Principal;
  readonly name?: string;
  readonly all?: boolean;
  /** The hash of the key of an item without an id. */
  readonly key?: string;
}

/**
 * Revokes a principal's access to one plant or to all.
 * @returns the exit code
 */
export const revoke = async (
  id: string | undefined,
  { from, name, all = false, key, ...options }: RevokeOptions,
): Promise<number> => {
  if (Number(id !== undefined) + Number(all) + Number(key !== undefined) !== 1)
    throw new UserError('Pass the id of one plant, or --all, or --key.');
  if (name !== undefined && id === undefined) throw new UserError('Pass --name with the id of a plant.');
  let revoked = (): number => 0;
  const done = (): string => `${count(revoked(), 'plant')} revoked`;
  return resumable(
    async (signal) => {
      const table = await findTable(options, signal);
      const keys = async function* (): AsyncGenerator<readonly GrantKey[]> {
        if (id === undefined)
          for await (const page of table.plantsOf({ principal: from }))
            yield page.filter((each) => all || keyHash(each) === key);
        else {
          const sortKey = await whichPlant(table, { id, name, from }, (each) =>
            commandLine(['revoke', id], { name: each, from: principalText(from) }, options),
          );
          yield [{ principal: from, sortKey }];
        }
      };
      const writer = table.writer();
      revoked = writer.written;
      await deleteGrants(writer, keys(), signal);
      if (key !== undefined && revoked() === 0)
        throw new UserError('No item in --from has this key. The command check prints the keys.');
      if (all && !(await table.isEmpty(from)))
        throw new UserError(`${shownPrincipal(from)} was granted plants meanwhile.`);
      process.stderr.write(`${done()}.\n`);
      return 0;
    },
    () => (revoked() === 0 ? undefined : done()),
  );
};
