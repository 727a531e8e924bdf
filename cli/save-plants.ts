import { isDeepStrictEqual } from 'node:util';
import { itemOf } from '../table/item.ts';
import type { IdentifiedPlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import type { Entry, PlantTable } from './plant-table.ts';

/** A principal as people write it: `user:NAME` or `group:NAME`. */
export const principalText = (principal: string): string => principal.replace('#', ':');

/** Plants by id. */
type Plants = ReadonlyMap<string, IdentifiedPlant>;

/** The writes that an update needs, and how many plants they add, change and remove. */
interface Plan {
  readonly puts: readonly IdentifiedPlant[];
  readonly deletions: readonly Entry[];
  readonly counts: Readonly<Record<'added' | 'changed' | 'removed' | 'unchanged', number>>;
}

/**
 * Adds plants to a principal. A plant with the id of a stored one, but another name, renames that one.
 * @param options `replace`: the principal is to have no other plants
 */
export const update = async (
  table: PlantTable,
  principal: Principal,
  wanted: Plants,
  { replace = false, dryRun = false }: { readonly replace?: boolean; readonly dryRun?: boolean },
  say: (message: string) => void,
): Promise<void> => {
  const stored: Entry[] = [];
  for await (const entries of table.entries(principal))
    stored.push(...entries.filter(({ id }) => replace || wanted.has(id)));
  const { puts, deletions, counts } = plan(principal, stored, wanted);
  if (!dryRun) {
    // New items first, so that an interruption loses nothing.
    await table.put(principal, puts);
    await table.delete(deletions);
  }
  const numbers = Object.entries(counts).map(([name, number]) => `${number.toLocaleString('en')} ${name}`);
  say(`${principalText(principal)}${dryRun ? ', dry run' : ''}: ${numbers.join(', ')}.`);
};

/** Compares what a principal has with the plants that it is to have, and no others. */
const plan = (principal: Principal, stored: readonly Entry[], wanted: Plants): Plan => {
  const storedById = Map.groupBy(stored, ({ id }) => id);
  const isUnchanged = (plant: IdentifiedPlant): boolean => {
    const [entry, ...others] = storedById.get(plant.id) ?? [];
    // Any difference counts: an item without `plantId` is written again, which adds it to the index.
    // Another item with the id is left from an interrupted rename.
    return others.length === 0 && isDeepStrictEqual(entry?.item, itemOf(principal, plant));
  };
  const puts = [...wanted.values()].filter((plant) => !isUnchanged(plant));
  const removed = stored.filter(({ id }) => !wanted.has(id));
  const renamed = [...wanted.values()].flatMap((plant) => {
    const { sortKey } = itemOf(principal, plant);
    return (storedById.get(plant.id) ?? []).filter(({ key }) => key.sortKey.S !== sortKey.S);
  });
  const added = puts.filter(({ id }) => !storedById.has(id)).length;
  const counts = {
    added,
    changed: puts.length - added,
    removed: removed.length,
    unchanged: wanted.size - puts.length,
  };
  return { puts, deletions: [...renamed, ...removed], counts };
};
