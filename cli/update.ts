import { type IdentifiedPlant, samePlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { sortKeyOf } from '../table/sort-key.ts';
import { startProgress } from './terminal/progress.ts';
import { UserError } from './terminal/user-error.ts';
import type { Entry, PlantTable } from './table.ts';
import { toUserError } from './to-user-error.ts';

/** A principal as people write it: `user:NAME` or `group:NAME`. */
export const principalText = (principal: string): string => principal.replace('#', ':');

/**
 * Adds plants to a principal. A plant with the id of a stored one, but another name, renames that one.
 * @param plants by id
 * @param options `replace`: the principal is to have no other plants
 */
export const update = async (
  table: PlantTable,
  principal: Principal,
  plants: ReadonlyMap<string, IdentifiedPlant>,
  options: { readonly replace?: boolean; readonly dryRun?: boolean },
  say: (message: string) => void,
): Promise<void> => {
  const unchanged = new Set<string>();
  const changed = new Set<string>();
  const formerNames: Entry[] = [];
  const others: Entry[] = [];
  for await (const entries of table.entries(principal, undefined))
    for (const entry of entries) {
      const plant = plants.get(entry.id);
      if (plant === undefined) {
        if (options.replace === true) others.push(entry);
        continue;
      }
      // An item that the index does not have under its id is written again, which adds it there.
      const isUnchanged = entry.plant !== undefined && samePlant(entry.plant, plant) && entry.isIndexed;
      (isUnchanged ? unchanged : changed).add(entry.id);
      if (entry.sortKey !== sortKeyOf(plant.name, plant.id)) formerNames.push(entry);
    }
  const found = unchanged.union(changed).size;
  const counts = [plants.size - found, changed.size, others.length, found - changed.size];
  const summary = (...verbs: readonly string[]): string => {
    const parts = counts.map((each, index) => `${each.toLocaleString('en')} ${verbs[index] ?? ''}`);
    return `${principalText(principal)}: ${parts.join(', ')}.`;
  };

  say(summary('to add', 'to change', 'to remove', 'unchanged'));
  if (options.dryRun === true) return;
  const puts = [...plants.values()].filter(({ id }) => !unchanged.has(id));
  const deletions = [...formerNames, ...others];
  const progress = startProgress(puts.length + deletions.length, process.stderr);
  try {
    // New items first, so that an interruption loses nothing.
    await table.put(principal, puts, progress);
    await table.delete(deletions, progress);
  } catch (cause) {
    const { message } = toUserError(cause);
    throw new UserError(`${message} Run the same command again for the rest.`, { cause });
  } finally {
    progress();
  }
  say(summary('added', 'changed', 'removed', 'unchanged'));
};
