import type { Principal } from '../table/principal.ts';
import { idIn, nameIn, sortKeyOf } from '../table/sort-key.ts';
import { UserError } from '../terminal/user-error.ts';
import { maxCommands, refusal } from './command-line.ts';
import type { GrantKey } from './table/grant.ts';
import type { PlantTable } from './table/plant-table.ts';

/** What a person says of a plant. */
export interface PlantChoice {
  readonly id: string;
  /** Needed when plants of several names have the id. */
  readonly name?: string | undefined;
  /** Whose plant; undefined: the whole table's, by the index. */
  readonly from?: Principal | undefined;
}

/** The keys of all grants in reach with this id, page by page. */
export const keysInReach = async function* (
  table: PlantTable,
  { id, from }: PlantChoice,
): AsyncGenerator<readonly GrantKey[]> {
  if (from === undefined) yield* table.grantsOf(id);
  // Not by the index, which lacks items without a `plantId` and those of a moment ago.
  else
    for await (const page of table.plantsOf({ principal: from }))
      yield page.filter(({ sortKey }) => idIn(sortKey) === id);
};

/**
 * Finds the one plant that is meant.
 * @param commandFor the command that takes the plant of this name
 * @returns its sort key
 * @throws {UserError} when there is none, or there are several
 */
export const whichPlant = async (
  table: PlantTable,
  choice: PlantChoice,
  commandFor: (name: string) => string,
): Promise<string> => {
  const { id, name, from } = choice;
  const named = name === undefined ? undefined : sortKeyOf(name, id);
  if (named !== undefined && from !== undefined && (await has(table, { principal: from, sortKey: named })))
    return named;
  const found = new Set<string>();
  for await (const keys of keysInReach(table, choice)) {
    for (const { sortKey } of keys) {
      if (sortKey === named) return named;
      if (found.size <= maxCommands) found.add(sortKey);
    }
  }
  const [only, ...others] = found;
  const where = from === undefined ? '' : ' in --from';
  if (only === undefined)
    throw new UserError(
      `There is no plant with this id${where}. The commands list and export print the ids.`,
    );
  if (named === undefined && others.length === 0) return only;
  const amount = found.size > maxCommands ? `More than ${String(maxCommands)}` : String(found.size);
  const problem =
    named === undefined
      ? `${amount} plants${where} have this id. Nothing was changed. These commands take one of them:`
      : `No plant${where} has this id and this name. Nothing was changed. These commands take one that has the id:`;
  throw refusal(
    problem,
    [...found].map((sortKey) => commandFor(nameIn(sortKey))),
  );
};

const has = async (table: PlantTable, key: GrantKey): Promise<boolean> =>
  (await table.plantsAt([key])).length > 0;
