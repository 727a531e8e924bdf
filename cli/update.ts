import { type IdentifiedPlant, samePlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { sortKeyOf } from '../table/sort-key.ts';
import { startProgress } from './progress.ts';
import type { Entry, PlantTable } from './table.ts';
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
  options: { readonly replace?: boolean; readonly dryRun?: boolean },
  say: (message: string) => void,
): Promise<void> => {
  const kept = new Set<string>();
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
      const isKept = entry.plant !== undefined && samePlant(entry.plant, plant) && entry.isIndexed;
      (isKept ? kept : changed).add(entry.id);
      if (entry.sortKey !== sortKeyOf(plant.name, plant.id)) formerNames.push(entry);
    }
  const counts: Counts = {
    added: plants.size - kept.union(changed).size,
    changed: changed.size,
    removed: others.length,
    unchanged: kept.difference(changed).size,
  };

  const verbs = { added: 'to add', changed: 'to change', removed: 'to remove' };
  say(`${principalText(principal)}: ${summary(counts, verbs)}.`);
  if (options.dryRun === true) return;
  const puts = [...plants.values()].filter(({ id }) => !kept.has(id));
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
  say(`${principalText(principal)}: ${summary(counts)}.`);
};

/** Numbers of plants. */
type Counts = Readonly<Record<'added' | 'changed' | 'removed' | 'unchanged', number>>;

/** The counts as text, each with its name or with the verb in place of it. */
const summary = (counts: Counts, verbs: Readonly<Record<string, string>> = {}): string =>
  Object.entries(counts)
    .map(([name, number]) => `${number.toLocaleString('en')} ${verbs[name] ?? name}`)
    .join(', ');
