import { isDeepStrictEqual } from 'node:util';
import { itemOf } from '../table/item.ts';
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
 * Whether two items are equal. Numbers are compared by value, because DynamoDB can return a number in other
 * digits, such as 0.0000001 for 1e-7.
 */
export const isSame = (stored: Item | undefined, wanted: Item): boolean =>
  isDeepStrictEqual(stored && withNumbers(stored), withNumbers(wanted));

const withNumbers = (item: Item) =>
  Object.entries(item)
    .map(
      ([name, attribute]) =>
        [name, attribute?.N === undefined ? attribute : { ...attribute, N: Number(attribute.N) }] as const,
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

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
    // All attributes are compared, so an item without `plantId` is written again, which adds it to the index.
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
