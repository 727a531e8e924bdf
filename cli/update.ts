import { type IdentifiedPlant, samePlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { sortKeyOf } from '../table/sort-key.ts';
import type { Entry, PlantTable } from './table.ts';
import { count } from './terminal/count.ts';
import { UserError } from './terminal/user-error.ts';
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
  { replace = false, dryRun = false }: { readonly replace?: boolean; readonly dryRun?: boolean },
  say: (message: string) => void,
): Promise<void> => {
  const kept = new Set<string>();
  const changed = new Set<string>();
  const formerNames: Entry[] = [];
  const others: Entry[] = [];
  for await (const entries of table.entries(principal))
    for (const entry of entries) {
      const plant = plants.get(entry.id);
      if (plant === undefined) {
        if (replace) others.push(entry);
        continue;
      }
      // An item that the index does not have under its id is written again, which adds it there.
      const isKept = entry.plant !== undefined && samePlant(entry.plant, plant) && entry.isIndexed;
      (isKept ? kept : changed).add(entry.id);
      if (entry.sortKey !== sortKeyOf(plant.name, plant.id)) formerNames.push(entry);
    }
  const counts = {
    added: plants.size - kept.union(changed).size,
    changed: changed.size,
    removed: others.length,
    unchanged: kept.difference(changed).size,
  };
  const summary = (verbs: Readonly<Record<string, string>>): string => {
    const parts = Object.entries(counts).map(
      ([name, number]) => `${number.toLocaleString('en')} ${verbs[name] ?? name}`,
    );
    return `${principalText(principal)}: ${parts.join(', ')}.`;
  };

  say(summary({ added: 'to add', changed: 'to change', removed: 'to remove' }));
  if (dryRun) return;
  const puts = [...plants.values()].filter(({ id }) => !kept.has(id));
  const deletions = [...formerNames, ...others];
  let left = puts.length + deletions.length;
  const onWritten = (items: number): void => {
    left -= items;
  };
  const progress = setInterval(() => {
    say(`${count(left, 'item')} left to write.`);
  }, 10_000);
  try {
    // New items first, so that an interruption loses nothing.
    await table.put(principal, puts, onWritten);
    await table.delete(deletions, onWritten);
  } catch (cause) {
    const { message } = toUserError(cause);
    throw new UserError(`${message} Run the same command again for the rest.`, { cause });
  } finally {
    clearInterval(progress);
  }
  say(summary({}));
};
