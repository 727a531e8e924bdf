import { isDeepStrictEqual } from 'node:util';
import { itemOf } from '../table/item.ts';
import type { IdentifiedPlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import type { Entry, PlantTable } from './table.ts';

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
  const deletions: Entry[] = [];
  /** By id, of the plants that are stored already. */
  const isUnchanged = new Map<string, boolean>();
  for await (const entries of table.entries(principal))
    for (const entry of entries) {
      const plant = plants.get(entry.id);
      if (plant === undefined) {
        if (replace) deletions.push(entry);
        continue;
      }
      const item = itemOf(principal, plant);
      // Any difference counts: an item without `plantId` is written again, which adds it to the index.
      // A plant with a second item has a former name.
      isUnchanged.set(entry.id, isDeepStrictEqual(entry.item, item) && !isUnchanged.has(entry.id));
      if (entry.key.sortKey.S !== item.sortKey.S) deletions.push(entry);
    }
  const puts = [...plants.values()].filter(({ id }) => isUnchanged.get(id) !== true);
  const added = plants.size - isUnchanged.size;
  const counts = {
    added,
    changed: puts.length - added,
    removed: deletions.filter(({ id }) => !plants.has(id)).length,
    unchanged: plants.size - puts.length,
  };
  const numbers = Object.entries(counts).map(([name, number]) => `${number.toLocaleString('en')} ${name}`);
  if (!dryRun) {
    // New items first, so that an interruption loses nothing.
    await table.put(principal, puts);
    await table.delete(deletions);
  }
  say(`${principalText(principal)}${dryRun ? ', dry run' : ''}: ${numbers.join(', ')}.`);
};
