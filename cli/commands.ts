import type { Plant } from '../table/plant.ts';
import type { Principal } from '../table/principal.ts';
import { count } from './terminal/count.ts';
import { UserError } from './terminal/user-error.ts';
import type { TableOptions } from './find-table.ts';
import type { Entry, PlantTable } from './table.ts';
import { withAdvice } from './to-user-error.ts';
import { principalText, update } from './update.ts';

/** Where a command writes. `print` writes results, and throws a `UserError` unless it writes all of them. */
interface Output {
  readonly print: (text: string) => void;
  readonly say: (message: string) => void;
}

type Flags<Name extends string> = Readonly<Partial<Record<Name, boolean>>>;

type ImportOptions = TableOptions &
  Flags<'replace' | 'skipBad' | 'dryRun'> & { readonly to: Principal; readonly format?: string };

/** Loads the plants of a file. Throws a `UserError` if a row is bad, even if it has loaded the others. */
export const importPlants = async (path: string, options: ImportOptions, { say }: Output): Promise<void> => {
  const { to, format, replace = false, skipBad = false } = options;
  const { readRows } = await import('./read-rows.ts');
  const { plants, badRows } = await readRows(path, format, principalText(to), say);
  const bad = count(badRows, 'bad row');
  if (badRows > 0 && (replace || !skipBad))
    throw new UserError(`${bad}: nothing was loaded. Correct the file, or skip them with --skip-bad alone.`);
  if (plants.size === 0)
    throw new UserError('The file has no plants: nothing was changed. Use revoke --all to remove all.');
  await update(await open(options, say), to, plants, options, say);
  if (badRows > 0) throw new UserError(`Skipped ${bad}. Correct the file and run the same command again.`);
};

/** Prints items as NDJSON. Throws a `UserError` if none has the id. */
export const list = async (
  id: string | undefined,
  { from, ...where }: TableOptions & { readonly from?: Principal },
  { print, say }: Output,
): Promise<void> => {
  const table = await open(where, say);
  let listed = 0;
  for await (const items of table.entries(from, id)) {
    print(linesOf(items, from));
    listed += items.length;
  }
  if (listed === 0 && id !== undefined) throw notFound(from, id);
  say(`${count(listed, 'item')} listed.`);
};

/** Copies a plant to another principal. Throws a `UserError` if there is not exactly one with the id. */
export const grant = async (
  id: string,
  { from, to, ...where }: TableOptions & { readonly from: Principal; readonly to: Principal },
  { say }: Output,
): Promise<void> => {
  const table = await open(where, say);
  const plants: Plant[] = [];
  for await (const each of table.entries(from, id)) plants.push(...each.flatMap(({ plant }) => plant ?? []));
  const [plant, ...others] = plants;
  if (plant === undefined) throw notFound(from, id);
  if (others.length > 0)
    throw new UserError(`${principalText(from)} has ${id} under several names. Import it again under one.`);
  await update(table, to, new Map([[id, { id, ...plant }]]), {}, say);
};

type RevokeOptions = TableOptions & Flags<'all' | 'dryRun'> & { readonly from: Principal | 'everyone' };

/** Prints items and deletes them. Throws a `UserError` if none has the id. */
export const revoke = async (
  id: string | undefined,
  { from: holder, all = false, dryRun = false, ...where }: RevokeOptions,
  { print, say }: Output,
): Promise<void> => {
  if ((id === undefined) !== all) throw new UserError('Pass either the id of a plant or --all.');
  const from = holder === 'everyone' ? undefined : holder;
  if (all && from === undefined) throw new UserError('Pass --all with a user or group, not with everyone.');
  const table = await open(where, say);
  let printed = 0;
  try {
    for await (const items of table.entries(from, id)) {
      // Before they are deleted: whatever happens then, the output has them.
      print(linesOf(items, from));
      printed += items.length;
      if (!dryRun) await table.delete(items);
    }
  } catch (cause) {
    if (dryRun || printed === 0) throw cause;
    // The same command again, with `>`, would truncate the file with the printed items.
    const advice = 'Keep their output, and write that of the next run to another file.';
    throw withAdvice(cause, `Up to ${count(printed, 'item')} revoked. ${advice}`);
  }
  if (printed === 0 && id !== undefined) throw notFound(from, id);
  say(`${count(printed, 'item')} ${dryRun ? 'to revoke' : 'revoked'}.`);
};

/** Opens the table. Imports the AWS SDK only here, so that errors in the arguments are reported at once. */
const open = async (options: TableOptions, say: Output['say']): Promise<PlantTable> =>
  (await import('./table.ts')).openTable(options, say);

/** Items as NDJSON, with their owners unless `from` is the owner of all. */
const linesOf = (items: readonly Entry[], from: Principal | undefined): string => {
  const lines = items.map(({ key, id, plant }) => {
    // `aws dynamodb delete-item` takes this key.
    if (plant === undefined) return { damaged: key };
    return { ...(from === undefined && { who: principalText(key.principal.S) }), id, ...plant };
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
};

const notFound = (from: Principal | undefined, id: string): UserError => {
  const problem = from === undefined ? 'No one has' : `${principalText(from)} does not have`;
  return new UserError(`${problem} the id ${id}. Run list to see the ids.`);
};
