import type { Principal } from '../table/principal.ts';
import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import type { TableOptions } from './find-table.ts';
import type { Entry } from './plant-table.ts';
import { principalText, update } from './save-plants.ts';

/** Where a command writes. `print` writes results, and throws a `UserError` unless it writes all of them. */
type Output = Readonly<Record<'print' | 'say', (text: string) => void>>;

type Flags<Name extends string> = Readonly<Partial<Record<Name, boolean>>>;

type ImportOptions = TableOptions &
  Flags<'replace' | 'skipBad' | 'dryRun'> & { readonly to: Principal; readonly format?: string };

/** Loads the plants of a file. Throws a `UserError` if a row is bad, even if it has loaded the others. */
export const importPlants = async (path: string, options: ImportOptions, { say }: Output): Promise<void> => {
  const { to, format, replace = false, skipBad = false } = options;
  // Only this command needs the library that checks rows.
  const { readRows } = await import('./import-file.ts');
  const { plants, problems } = await readRows(path, format, principalText(to));
  for (const problem of problems.slice(0, 20)) say(`${path}, ${problem}.`);
  const bad = count(problems.length, 'bad row');
  if (problems.length > 0 && (replace || !skipBad))
    throw new UserError(`${bad}: nothing was loaded. Correct the file, or skip them with --skip-bad alone.`);
  if (plants.size === 0)
    throw new UserError('The file has no plants: nothing was changed. Use revoke --all to remove all.');
  await update(await open(options), to, plants, options, say);
  if (problems.length > 0)
    throw new UserError(`Skipped ${bad}. Correct the file and run the same command again.`);
};

/** Prints items as NDJSON. Throws a `UserError` if none has the id. */
export const list = async (
  id: string | undefined,
  { from, ...where }: TableOptions & { readonly from?: Principal },
  { print, say }: Output,
): Promise<void> => {
  const table = await open(where);
  let listed = 0;
  for await (const items of table.entries(from, id)) {
    print(linesOf(items, from));
    listed += items.length;
  }
  if (listed === 0 && id !== undefined) throw notFound(id);
  say(`${count(listed, 'item')} listed.`);
};

/** Copies a plant to another principal. Throws a `UserError` if there is not exactly one with the id. */
export const grant = async (
  id: string,
  { from, to, ...where }: TableOptions & { readonly from: Principal; readonly to: Principal },
  { say }: Output,
): Promise<void> => {
  const table = await open(where);
  const entries = (await Array.fromAsync(table.entries(from, id))).flat();
  const [plant, ...others] = entries.flatMap(({ plant: each }) => each ?? []);
  if (plant === undefined) throw notFound(id);
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
  if ((id === undefined) !== all || id === '') throw new UserError('Pass either the id of a plant or --all.');
  const from = holder === 'everyone' ? undefined : holder;
  if (all && from === undefined) throw new UserError('Pass --all with a user or group, not with everyone.');
  if (dryRun) return list(id, { from, ...where }, { print, say });
  const table = await open(where);
  let revoked = 0;
  try {
    for await (const items of table.entries(from, id)) {
      // Before they are deleted: whatever happens then, the output has them.
      print(linesOf(items, from));
      revoked += items.length;
      await table.delete(items);
    }
  } catch (cause) {
    // The same command again, with `>`, would truncate the file with the printed items.
    const advice = 'Keep their output, and write that of the next run to another file.';
    if (revoked > 0) say(`Up to ${count(revoked, 'item')} revoked. ${advice}`);
    throw cause;
  }
  if (revoked === 0 && id !== undefined) throw notFound(id);
  say(`${count(revoked, 'item')} revoked.`);
};

/** Opens the table. Imports the AWS SDK only here, so that errors in the arguments are reported at once. */
const open = async (options: TableOptions) => (await import('./plant-table.ts')).openTable(options);

/** Items as NDJSON, with their owners unless `from` is the owner of all. */
const linesOf = (items: readonly Entry[], from: Principal | undefined): string => {
  const lines = items.map(({ key, id, plant }) => {
    // `aws dynamodb delete-item` takes this key.
    if (plant === undefined) return { damaged: key };
    return { ...(from === undefined && { who: principalText(key.principal.S) }), id, ...plant };
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
};

const notFound = (id: string) => new UserError(`Found no plant with the id ${id}. Run list to see the ids.`);
