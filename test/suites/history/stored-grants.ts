import type { Principal } from '../../../table/principal.ts';
import { sortKeyOf } from '../../../table/sort-key.ts';
import { item, key, type Plant } from '../../contract/plants.ts';
import type { DynamoDbTable } from '../../support/table/dynamodb-table.ts';

/** The plants of a history's principals, in the table and in the model. */
export interface StoredGrants {
  /** Each principal's plants by sort key. */
  readonly access: ReadonlyMap<string, ReadonlyMap<string, Plant>>;
  readonly grant: (to: Principal, name: string, id: string) => Promise<void>;
  /** @param plant the number of one of the principal's plants */
  readonly revoke: (from: Principal, plant: number) => Promise<void>;
  /** Stores a damaged item, which has no attributes but its key. */
  readonly damage: (of: Principal, name: string, id: string) => Promise<void>;
}

/** @param suffix added to each principal, so that histories share none */
export const storedGrants = (table: DynamoDbTable, suffix: string): StoredGrants => {
  const access = new Map<string, Map<string, Plant>>();
  const plantsOf = (principal: string): Map<string, Plant> => {
    const plants = access.get(principal) ?? new Map<string, Plant>();
    access.set(principal, plants);
    return plants;
  };
  return {
    access,
    grant: async (principal, name, id) => {
      const to = `${principal}${suffix}`;
      // Copies of a plant differ in their tags, and some have none.
      const plant: Plant = { name, ...(id !== '2' && { tag: `${id} of ${principal}` }) };
      await table.put([item(to, name, id, plant.tag)]);
      plantsOf(to).set(sortKeyOf(name, id), plant);
    },
    revoke: async (principal, plant) => {
      const from = `${principal}${suffix}`;
      const held = [...plantsOf(from).keys()];
      const sortKey = held[plant % held.length] ?? sortKeyOf('none', '1');
      await table.remove([{ principal: { S: from }, sortKey: { S: sortKey } }]);
      plantsOf(from).delete(sortKey);
    },
    damage: async (principal, name, id) => {
      const of = `${principal}${suffix}`;
      await table.put([key(of, name, id)]);
      plantsOf(of).delete(sortKeyOf(name, id));
    },
  };
};
