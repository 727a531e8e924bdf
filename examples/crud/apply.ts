// bin/run node examples/crud/apply.ts: makes this checkout a service that finds, adds, changes and deletes
// plants. It copies the folders of this folder over those of the project, and merges three files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { escaped } from '../../terminal/escaped.ts';
import { exitWith, UserError } from '../../terminal/user-error.ts';
import { appliedOperation, type Change, changes, checkout } from './overlay.ts';

const help = `Usage: bin/run node examples/crud/apply.ts [--replace]

Adds operations that find, add, change and delete a plant to this checkout (docs/crud.md).
Refuses a checkout with uncommitted changes, and with changes of yours to files that it would replace.

  --replace  also replace files that you have changed`;

const snapshots = 'test/infra/snapshots';
const inCheckout = (file: string): string => join(checkout, file);

const parsedOptions = (): Readonly<{ help?: boolean; replace?: boolean }> => {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h' }, replace: { type: 'boolean' } } })
      .values;
  } catch {
    const given = process.argv.slice(2).join(' ');
    throw new UserError(`Unknown option or argument in "${given}". The options are --replace and --help.`);
  }
};

/** @throws {UserError} when the checkout has uncommitted changes, or Git fails in it */
const refuseUncommittedChanges = (): void => {
  // Without a repository, such as in an unpacked archive, there is nothing to compare.
  const { status, stdout, stderr, error } = spawnSync('git', ['status', '--porcelain', '--', '.'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  if (status === 0 && stdout === '') return;
  if (status === 0)
    throw new UserError(
      'This checkout has uncommitted changes (git status). Commit or stash them first, so that git diff' +
        ' shows what this command changes.',
    );
  if (!existsSync(inCheckout('.git'))) return;
  const reason = error?.message ?? stderr.trim().split('\n')[0] ?? '';
  throw new UserError(
    `git status failed (${reason}). Correct this first, because Git shows and undoes this command's changes.`,
  );
};

/**
 * Writes the files, and updates the snapshots of the templates. If this fails, it restores all files.
 * @throws {UserError} if it failed
 */
const write = (all: readonly Change[]): void => {
  const files = [...all.map(({ file }) => file), ...readdirSync(inCheckout(snapshots)).map(inSnapshots)];
  const before = files.map((file) => {
    const path = inCheckout(file);
    return { path, text: existsSync(path) ? readFileSync(path) : undefined };
  });
  try {
    for (const { file, text } of all) {
      mkdirSync(dirname(inCheckout(file)), { recursive: true });
      writeFileSync(inCheckout(file), text);
    }
    // Updates the snapshots of the templates, because the table gets a time-to-live attribute.
    const update = ['vitest', 'run', 'test/infra/stack.test.ts', '--update'];
    const { status, stdout, stderr } = spawnSync(inCheckout('bin/run'), update, {
      cwd: checkout,
      encoding: 'utf8',
    });
    if (status !== 0) {
      console.error(stdout + stderr);
      throw new Error('test/infra/stack.test.ts fails with the new files.');
    }
  } catch (error) {
    for (const { path, text } of before)
      if (text === undefined) remove(path);
      else if (!text.equals(readFileSync(path))) writeFileSync(path, text);
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`Nothing was changed, because the command failed: ${reason}`, { cause: error });
  }
};

/** Removes a file, and then its folder if the folder is empty. */
const remove = (path: string): void => {
  rmSync(path, { force: true });
  if (existsSync(dirname(path)) && readdirSync(dirname(path)).length === 0) rmdirSync(dirname(path));
};

const inSnapshots = (name: string): string => `${snapshots}/${name}`;

const apply = async (): Promise<void> => {
  const options = parsedOptions();
  if (options.help === true) {
    console.log(help);
    return;
  }
  if (appliedOperation !== undefined)
    throw new UserError(
      `examples/crud was applied to this checkout before: ${appliedOperation} exists. If that run was` +
        ' interrupted, git restore . && git clean -fd restores the last commit.',
    );
  refuseUncommittedChanges();
  const all = await changes();
  const own = all.filter(({ losesWork }) => losesWork).map(({ file }) => file);
  if (own.length > 0 && options.replace !== true)
    throw new UserError(
      `This command would replace ${own.join(', ')}, which you have changed. Make the same changes in` +
        ' examples/crud, commit them, and run this command again with --replace.',
    );
  write(all);

  const list = (title: string, kind: Change['kind'], more: readonly string[] = []): string => {
    const names = [...all.filter((change) => change.kind === kind).map(({ file }) => file), ...more];
    return [`${title}:`, ...names.map((name) => `  ${escaped(name)}`)].join('\n');
  };
  console.log(
    [
      list('Added', 'added'),
      list('Replaced', 'replaced'),
      list('Merged or updated', 'merged', [`${snapshots}/`]),
      'Next: git diff, npm test, then npm start. docs/crud.md says what each operation costs.',
      'The service no longer needs examples/crud: git rm -r examples/crud',
    ].join('\n'),
  );
};

await apply().catch(exitWith);
