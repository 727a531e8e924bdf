import { isDeepStrictEqual } from 'node:util';
import { itemOf, parseItem, type PlantItem } from '../table/item.ts';
import { plantIndex } from '../table/keys.ts';
import type { IdentifiedPlant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import type { Item } from '../table/attributes.ts';
import type { StoredItem } from './plant-table.ts';

/** The writes that an import needs, and how many plants they add, change and remove. */
export interface ImportPlan {
  readonly puts: readonly IdentifiedPlant[];
  /** Items to delete when the puts are done: former names of plants, and plants that are to be removed. */
  readonly deletions: readonly StoredItem[];
  readonly counts: Readonly<Record<'added' | 'changed' | 'removed' | 'unchanged', number>>;
}

/**
 * Whether an item need not be written again to have the plant of another one. Values that the service itself
 * has written are kept, such as a version that follows from changes. An attribute that is missing, such as
 * `plantId`, for the index, is written.
 */
export const isSame = (stored: Item | undefined, wanted: PlantItem): boolean =>
  stored !== undefined &&
  Object.keys(wanted).every((name) => stored[name] !== undefined) &&
  isDeepStrictEqual(stored[plantIndex.partitionKey], wanted[plantIndex.partitionKey]) &&
  isDeepStrictEqual(parseItem(stored), parseItem(wanted));

/**
 * Compares the stored items of a principal with the wanted plants. If the sort key contains the name
 * (table/sort-key.ts), a rename changes the key, so it is a put and a deletion.
 * @param stored the items with the id of a wanted plant, and the items to remove
 * @param wanted by id
 */
export const planImport = (
  principal: Principal,
  stored: readonly StoredItem[],
  wanted: ReadonlyMap<string, IdentifiedPlant>,
): ImportPlan => {
  const plants = [...wanted.values()];
  const storedById = Map.groupBy(stored, ({ id }) => id);
  const itemsOf = ({ id }: IdentifiedPlant): readonly StoredItem[] => storedById.get(id) ?? [];
  const isStored = (plant: IdentifiedPlant): boolean => {
    const [item, ...itemsOfRename] = itemsOf(plant);
    // A second item with the id is left from an interrupted rename.
    return itemsOfRename.length === 0 && isSame(item?.attributes, itemOf(principal, plant));
  };
  const puts = plants.filter((plant) => !isStored(plant));
  const formerNames = plants.flatMap((plant) => {
    const { sortKey } = itemOf(principal, plant);
    return itemsOf(plant).filter(({ key }) => key.sortKey.S !== sortKey.S);
  });
  const removed = stored.filter(({ id }) => !wanted.has(id));
  const added = puts.filter((plant) => itemsOf(plant).length === 0);
  return {
    puts,
    deletions: [...formerNames, ...removed],
    counts: {
      added: added.length,
      changed: puts.length - added.length,
      removed: removed.length,
      unchanged: plants.length - puts.length,
    },
  };
};
