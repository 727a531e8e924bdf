import { fields } from '../table/fields.ts';
import { identified } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import type { TableOptions } from './find-table.ts';
import { readImportFile } from './import-file.ts';
import type { StoredItem } from './plant-table.ts';
import { principalText } from './principal-text.ts';
import { savePlants } from './save-plants.ts';

/**
 * Where a command writes: `print` writes results to standard output, and throws a `UserError` unless it
 * writes all of them; `say` writes a message to standard error.
 */
/** Where a command writes: `print` is for the result, `say` for messages. */
export type Output = Readonly<Record<'print' | 'say', (text: string) => void>>;

type Flags<Name extends string> = Readonly<Partial<Record<Name, boolean>>>;

type ImportOptions = TableOptions &
  Flags<'replace' | 'skipBad' | 'dryRun'> & { readonly to: Principal; readonly format?: string };

/** Loads the plants of a file. Throws a `UserError` if a row is bad, even if it has loaded the others. */
export const importPlants = async (path: string, options: ImportOptions, { say }: Output): Promise<void> => {
  const { to, format, replace = false, skipBad = false } = options;
  if (skipBad && replace) throw new UserError('--skip-bad cannot be combined with --replace.');
  const { plants, problems } = await readImportFile(path, format, principalText(to), fields);
  for (const problem of problems.slice(0, 20)) say(`${path}, ${problem}.`);
  const badRows = count(problems.length, 'bad row');
  if (problems.length > 0 && !skipBad) {
    const otherwise = replace ? '' : ', or load the other rows with --skip-bad';
    throw new UserError(`${badRows}: nothing was loaded. Correct the file${otherwise}.`);
  }
  if (plants.size === 0)
    throw new UserError('The file has no plants: nothing was changed. Use revoke --all to remove all.');
  await savePlants(await open(options), to, plants, options, say);
  if (problems.length > 0)
    throw new UserError(`Skipped ${badRows}. Correct the file and run the same command again.`);
};

/** Prints items as NDJSON. Throws a `UserError` if none has the id. */
export const list = async (
  id: string | undefined,
  { from, ...tableOptions }: TableOptions & { readonly from?: Principal },
  { print, say }: Output,
): Promise<void> => {
  refuseEmpty(id);
  const table = await open(tableOptions);
  let listed = 0;
  for await (const items of table.read(from, id)) {
    print(linesOf(items, from));
    listed += items.length;
  }
  if (listed === 0 && id !== undefined) throw notFound(id);
  say(`${count(listed, 'item')} listed.`);
};

/** Copies a plant to another principal. Throws a `UserError` if there is not exactly one with the id. */
export const grant = async (
  id: string,
  { from, to, ...tableOptions }: TableOptions & { readonly from: Principal; readonly to: Principal },
  { say }: Output,
): Promise<void> => {
  refuseEmpty(id);
  const table = await open(tableOptions);
  const items = (await Array.fromAsync(table.read(from, id))).flat();
  const [plant, ...plantsOfOtherNames] = items.flatMap((item) => item.plant ?? []);
  if (plant === undefined) throw notFound(id);
  if (plantsOfOtherNames.length > 0)
    throw new UserError(`${principalText(from)} has ${id} under several names. Import it again under one.`);
  await savePlants(table, to, new Map([[id, identified(id, plant)]]), {}, say);
};

type RevokeOptions = TableOptions & Flags<'all' | 'dryRun'> & { readonly from: Principal | 'everyone' };

/** Prints items and deletes them. Throws a `UserError` if none has the id. */
export const revoke = async (
  id: string | undefined,
  { from: holder, all = false, dryRun = false, ...tableOptions }: RevokeOptions,
  { print, say }: Output,
): Promise<void> => {
  if ((id === undefined) !== all || id === '') throw new UserError('Pass either the id of a plant or --all.');
  const from = holder === 'everyone' ? undefined : holder;
  if (all && from === undefined) throw new UserError('Pass --all with a user or group, not with everyone.');
  if (dryRun) return list(id, { from, ...tableOptions }, { print, say });
  const table = await open(tableOptions);
  let revoked = 0;
  try {
    for await (const items of table.read(from, id)) {
      // Items are printed before they are deleted, so that no failure loses an item.
      print(linesOf(items, from));
      revoked += items.length;
      await table.delete(items);
    }
  } catch (cause) {
    // If `>` wrote the printed items to a file, the same command would truncate that file.
    const advice = 'Keep the output of this run: write the output of the next run to another file.';
    if (revoked > 0) say(`Revoked up to ${count(revoked, 'item')}. ${advice}`);
    throw cause;
  }
  if (revoked === 0 && id !== undefined) throw notFound(id);
  say(`${count(revoked, 'item')} revoked.`);
};

/** Opens the table. Imports the AWS SDK only here, so that errors in the arguments are reported at once. */
const open = async (options: TableOptions) => (await import('./plant-table.ts')).openPlantTable(options);

/** Items as NDJSON, each with its principal unless `from` is the principal of all. */
const linesOf = (items: readonly StoredItem[], from: Principal | undefined): string => {
  const lines = items.map(({ key, id, plant }) => {
    // A damaged item is printed as its key, which `aws dynamodb delete-item` takes.
    if (plant === undefined) return { damaged: key };
    return { ...(from === undefined && { who: principalText(key.principal.S) }), ...identified(id, plant) };
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
};

/** Refuses an empty id, because it comes from a variable that is not set. */
const refuseEmpty = (id: string | undefined): void => {
  if (id === '') throw new UserError('The id is empty, as from a variable that is not set: pass an id.');
};

const notFound = (id: string) => new UserError(`Found no plant with the id ${id}. Run list to see the ids.`);
