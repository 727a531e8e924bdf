import type { IdentifiedPlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { planImport } from './import-plan.ts';
import type { PlantTable, StoredItem } from './plant-table.ts';
import { principalText } from './principal-text.ts';

/**
 * Adds plants to a principal, changes and renames those whose ids are stored, and says how many.
 * @param wanted by id
 * @param options `replace`: also removes all other plants of the principal; `dryRun`: writes nothing
 */
export const savePlants = async (
  table: PlantTable,
  principal: Principal,
  wanted: ReadonlyMap<string, IdentifiedPlant>,
  { replace = false, dryRun = false }: { readonly replace?: boolean; readonly dryRun?: boolean },
  say: (message: string) => void,
): Promise<void> => {
  const stored: StoredItem[] = [];
  for await (const items of table.read(principal))
    stored.push(...items.filter(({ id }) => replace || wanted.has(id)));
  const { puts, deletions, counts } = planImport(principal, stored, wanted);
  if (!dryRun) {
    // New items are written before former items are deleted, so that an interruption loses no plant.
    await table.put(principal, puts);
    await table.delete(deletions);
  }
  const numbers = Object.entries(counts).map(([name, number]) => `${number.toLocaleString('en')} ${name}`);
  say(`${principalText(principal)}${dryRun ? ', dry run' : ''}: ${numbers.join(', ')}.`);
};
